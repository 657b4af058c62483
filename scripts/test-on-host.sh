#!/usr/bin/env bash
# Runs the end-to-end tests with kernels as native Rust instead of OpenCL. Nothing is built again for it, but for half precision.
#
#   scripts/test-on-host.sh --profile tests                                   as scripts/test.sh builds them
#   scripts/test-on-host.sh --profile tests --config scripts/optimised.toml   as users build it
#
# Options are those of `cargo test`.
set -euo pipefail
cd "$(dirname "$0")/.."

# `texts` needs no device, and the programs of `against_eval` are compiled while it runs, which the host cannot do: the package
# lift-on-host runs such programs on the host.
elsewhere=(texts against_eval)

tests=()
for file in tests/*/main.rs; do
    name="$(basename "$(dirname "$file")")"
    if [[ " ${elsewhere[*]} " != *" $name "* ]]; then
        tests+=(--test "$name")
    fi
done
# With the features that all packages together ask for, as they are built on PoCL. One test asks for PoCL itself, whose
# compiler takes a while.
LIFT_DEVICE=host cargo test "$@" --workspace --exclude lift-on-host "${tests[@]}" -- \
    --skip threads_share_the_kernels_of_an_opencl_device

# Half precision is a feature, with which more is built.
LIFT_DEVICE=host cargo test "$@" --features f16 --test half
