#!/usr/bin/env bash
# Runs a test program for Cargo. PoCL compiles one kernel at a time in a process: of the programs that spend their
# time on that, as many processes run at a time as there are cores, each for a few tests. To start one and to load
# PoCL's library takes most of a second.
set -euo pipefail

program=$1
case "$program" in
# It has thousands of kernels, each of which runs for a moment: PoCL compiles them without optimisation, in half
# the time. A few of its tests would keep one core busy to the end.
*/against_eval-*)
    export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
    tests_at_once=1
    ;;
# These are about what surrounds kernels.
*/interface-*)
    export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
    tests_at_once=8
    ;;
# These check optimised kernels.
*/language-* | */programs-*) tests_at_once=8 ;;
*) exec "$@" ;;
esac
. "$(dirname "$0")/lighter-linker.sh"
# Somebody asks for some of the tests, or for a list.
if (($# > 1)); then
    exec "$@"
fi

# Prints nothing of tests that pass.
run() {
    local output
    if ! output="$("$1" --test-threads=1 --exact "${@:2}" 2>&1)"; then
        echo "$output"
        return 1
    fi
}
export -f run

tests="$("$program" --list --format terse | sed -n 's/: test$//p')"
echo "running $(wc -l <<<"$tests") tests, $tests_at_once in a process"
xargs --max-procs "$(nproc)" --max-args "$tests_at_once" bash -c 'run "$@"' run "$program" <<<"$tests"
