#!/usr/bin/env bash
# Runs every test of lift: installs what they need (PoCL and Oclgrind) and fails when anything is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/steps.sh

# Without the variable they would run on the host where there is no GPU, as they do next.
# What runs on the host alone follows below, as users build it.
on_pocl() {
    LIFT_DEVICE=pocl cargo test --profile tests --workspace --exclude lift-on-host
}

random_sizes() {
    PROPTEST_CASES=30000 scripts/random-sizes.sh
}

step "packages" scripts/install-packages.sh
step "unit tests, end-to-end tests on PoCL, compile-fail tests, documentation tests" on_pocl
step "end-to-end tests on the host" scripts/test-on-host.sh --profile tests
step "what the host computes, as users build it" scripts/test-in-release.sh
step "30,000 random sizes" random_sizes
step "100,000 mutated programs" scripts/fuzz.sh
step "kernels under Oclgrind" scripts/check-kernels.sh
step "building and starting on a machine without OpenCL" scripts/check-without-opencl.sh
