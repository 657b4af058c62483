#!/usr/bin/env bash
# Runs the end-to-end tests with kernels as native Rust instead of OpenCL. Nothing is built again for it, but for half precision.
set -euo pipefail
cd "$(dirname "$0")/.."

# These need no device, or choose an OpenCL device themselves because they compile while they run, which the host cannot; the package
# lift-on-host runs the programs of the last four on the host.
elsewhere=(ui reference kernel_texts launches general_launches random_programs papers_against_eval drivers)

tests=()
for file in tests/*.rs; do
    name="$(basename "$file" .rs)"
    if [[ " ${elsewhere[*]} " != *" $name "* ]]; then
        tests+=(--test "$name")
    fi
done
LIFT_DEVICE=host cargo test "${tests[@]}"

# Half precision is a feature, with which more is built.
LIFT_DEVICE=host cargo test --features f16 --test half
