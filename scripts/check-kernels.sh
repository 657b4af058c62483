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

# Cargo runs a test program under the command named by this variable; nothing is built again for it.
host="$(rustc -vV | sed -n 's/^host: //p')"
export RUNNER="CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$host")_RUNNER"

# Those that take longest come first, as several test programs run at a time.
programs=(general_launches launches random_programs programs positions blocking pipelined products linear_algebra reductions high_level stored_arrays language
    open_ranks interface tuples vectors corners closures iterations accumulators assignments_at_once algorithms benchmarks_ir convolution interior stencils stencils3d
    launch_sizes scans scans_against_eval benchmark_programs)

# One test of a program at a time, and not the ones that launch from several threads: the simulator is not thread-safe.
# Buffers are no larger than their arrays, so that every access behind the end shows.
check() {
    local reports output status=0
    reports="$(mktemp)"
    output="$(mktemp)"
    env LIFT_DEVICE=oclgrind LIFT_KEEP_MEMORY=0 "$RUNNER=oclgrind --local-mem-size 65536 --build-options -cl-opt-disable --data-races --log $reports" \
        cargo test --test "$1" -- --test-threads=1 --skip from_several_threads > "$output" 2>&1 || status=1
    cat "$output"
    if [[ -s "$reports" ]]; then
        echo "check-kernels: Oclgrind reports in $1" >&2
        cat "$reports" >&2
        status=1
    fi
    rm "$reports" "$output"
    return "$status"
}
export -f check

# They are built once, before several processes look whether they are.
cargo test --no-run $(printf -- '--test %s ' "${programs[@]}")
printf '%s\n' "${programs[@]}" | xargs --max-procs "$(nproc)" --replace={} bash -c 'check {}'
