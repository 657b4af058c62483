#!/usr/bin/env bash
# Runs every test of lift: installs what they need (PoCL and Oclgrind) and fails when anything is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/steps.sh

# Without the variable they would run on the host where there is no GPU, as they do next.
# What runs on the host alone follows below, as users build it.
on_pocl() {
    local host runner
    host="$(rustc -vV | sed -n 's/^host: //p')"
    runner="CARGO_TARGET_$(tr 'a-z-' 'A-Z_' <<<"$host")_RUNNER"
    env LIFT_DEVICE=pocl OCL_ICD_VENDORS="$(scripts/lighter-pocl.sh)" "$runner=$PWD/scripts/run-test.sh" cargo test --profile tests --workspace --exclude lift-on-host
}

# 60 seeds, of each of which there is a program of every kind. Of fewer of them the host's code is also optimised, below.
on_host() {
    LIFT_DEVICE=host LIFT_PROGRAMS=0..60 cargo test --profile tests --workspace --test on_host
}

random_sizes() {
    PROPTEST_CASES=10000 scripts/random-sizes.sh
}

step "packages" scripts/install-packages.sh
step "unit tests, end-to-end tests on PoCL, compile-fail tests, documentation tests" on_pocl
# A simulator takes long and needs nothing of Cargo's once it has started, while what follows keeps one core busy.
step_beside "kernels under Oclgrind" scripts/check-kernels.sh
step "end-to-end tests on the host" scripts/test-on-host.sh --profile tests
step "60 random programs of each kind on the host" on_host
step "what the host computes, as users build it" scripts/test-in-release.sh
step "10,000 random sizes" random_sizes
step "30,000 mutated programs" scripts/fuzz.sh 30000
wait_for_steps
step "building and starting on a machine without OpenCL" scripts/check-without-opencl.sh
