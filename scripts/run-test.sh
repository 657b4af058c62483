#!/usr/bin/env bash
# Runs a test program for Cargo. `against_eval` has thousands of kernels, each of which runs for a moment: PoCL
# compiles them without optimisation, in half the time. All other tests check optimised kernels.
case "$1" in
*/against_eval-*) export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable ;;
esac
exec "$@"
