#!/usr/bin/env bash
# Tests what the host computes as users build it: optimised, which is where compilers go wrong, once for each set of instructions that this
# processor has (LIFT_HOST_INSTRUCTIONS).
#
#   scripts/test-in-release.sh            the programs of tests/on-host for each set, and tests/programs
#   scripts/test-in-release.sh all        all end-to-end tests too, most of whose time rustc takes
#   LIFT_PROGRAMS=1000..1100 scripts/test-in-release.sh    random programs of other seeds, and more of them
set -euo pipefail
cd "$(dirname "$0")/.."

which="${1-some}"
if [[ $which != all && $which != some ]]; then
    echo "test-in-release: there is no option \`$which\`" >&2
    exit 2
fi

export LIFT_DEVICE=host

# What a set needs for sure; the runtime asks for a little more, and refuses a set that the processor does not have.
sets=(compiled)
for set in avx2 avx512; do
    flag="${set/avx512/avx512vl}"
    if grep --quiet --word-regexp "$flag" /proc/cpuinfo; then
        sets+=("$set")
    else
        echo "test-in-release: NOT TESTED: $set, which this processor does not have" >&2
    fi
done

# What all of them have in common is built once: which features it has depends on all packages that are asked for.
as_users_build_it=(--profile tests --config scripts/optimised.toml)
optimised=(cargo test "${as_users_build_it[@]}" --package lift --package lift-runtime --package lift-on-host
    --features lift-on-host/f16)

# Says by the way whether this compiler still needs the form of `number::max`.
"${optimised[@]}" --lib -- number:: host:: --show-output

# The programs of the repository, and random ones. They are built once, which takes longest: a variable chooses the instructions when they run.
export LIFT_PROGRAMS="${LIFT_PROGRAMS:-0..10}"
for set in "${sets[@]}"; do
    echo "== $set"
    LIFT_HOST_INSTRUCTIONS="$set" "${optimised[@]}" --test on_host
done

echo "== end-to-end tests"
if [[ $which == all ]]; then
    scripts/test-on-host.sh "${as_users_build_it[@]}"
else
    # That with most loops over numbers.
    "${optimised[@]}" --test programs
fi
