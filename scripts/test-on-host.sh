#!/usr/bin/env bash
# Runs the end-to-end tests with kernels as native Rust instead of OpenCL. Nothing is built again for it, but for half precision.
#
#   scripts/test-on-host.sh --profile optimised    as users build it; options are those of `cargo test`
set -euo pipefail
cd "$(dirname "$0")/.."

# These need no device, or choose an OpenCL device themselves because they compile while they run, which the host cannot; the package
# lift-on-host runs random programs and those of the papers on the host.
elsewhere=(ui reference kernel_texts papers_golden warnings drivers assignments_at_once launches general_launches benchmark_programs scans_against_eval \
    random_programs papers_against_eval)

tests=()
for file in tests/*.rs; do
    name="$(basename "$file" .rs)"
    if [[ " ${elsewhere[*]} " != *" $name "* ]]; then
        tests+=(--test "$name")
    fi
done
LIFT_DEVICE=host cargo test "$@" "${tests[@]}"

# Half precision is a feature, with which more is built.
LIFT_DEVICE=host cargo test "$@" --features f16 --test half
