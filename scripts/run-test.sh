#!/usr/bin/env bash
# Runs a test program for Cargo. PoCL compiles one kernel at a time in a process: of the programs that spend their
# time on that, each test has a process of its own, and as many of them run at a time as there are cores.
set -euo pipefail

program=$1
case "$program" in
# It has thousands of kernels, each of which runs for a moment: PoCL compiles them without optimisation, in half
# the time. All other tests check optimised kernels.
*/against_eval-*) export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable ;;
*/language-* | */programs-* | */interface-*) ;;
*) exec "$@" ;;
esac
# Somebody asks for some of the tests, or for a list.
if (($# > 1)); then
    exec "$@"
fi

# Prints nothing of a test that passes.
run() {
    local output
    if ! output="$("$1" --exact "$2" 2>&1)"; then
        echo "$output"
        return 1
    fi
}
export -f run

tests="$("$program" --list --format terse | sed -n 's/: test$//p')"
echo "running $(wc -l <<<"$tests") tests, each in a process of its own"
xargs --max-procs "$(nproc)" --replace={} bash -c 'run "$@"' run "$program" {} <<<"$tests"
