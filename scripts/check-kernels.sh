#!/usr/bin/env bash
# Runs the end-to-end tests on Oclgrind, a simulator of an OpenCL device that reports data races, accesses out of
# bounds, and barriers that not all work-items reach. (Its check for uninitialised memory crashes in version 21.10.)
# It has as much local memory as GPUs have. Kernels are compiled without optimisation: the simulator executes some optimised conditions wrongly, and every access stays.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v oclgrind >/dev/null; then
    echo "check-kernels: oclgrind is not installed; scripts/install-packages.sh installs it" >&2
    exit 1
fi

reports="$(mktemp)"
trap 'rm -f "$reports"' EXIT

# Cargo runs a test program under the command named by this variable; nothing is built again for it.
host="$(rustc -vV | sed -n 's/^host: //p')"
runner="CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$host")_RUNNER"

for tests in programs positions blocking pipelined products linear_algebra reductions high_level stored_arrays language open_ranks interface tuples vectors corners closures \
    iterations accumulators assignments_at_once algorithms benchmarks_ir convolution interior stencils stencils3d launches general_launches launch_sizes scans scans_against_eval benchmark_programs random_programs; do
    # One test at a time, and not the ones that launch from several threads: the simulator is not thread-safe.
    # Buffers are no larger than their arrays, so that every access behind the end shows.
    env LIFT_DEVICE=oclgrind LIFT_KEEP_MEMORY=0 "$runner=oclgrind --local-mem-size 65536 --build-options -cl-opt-disable --data-races --log $reports" \
        cargo test --test "$tests" -- --test-threads=1 --skip from_several_threads
    if [[ -s "$reports" ]]; then
        echo "check-kernels: Oclgrind reports" >&2
        cat "$reports" >&2
        exit 1
    fi
done
