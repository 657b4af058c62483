#!/usr/bin/env bash
# Runs a test program for Cargo. PoCL compiles what those of `against_eval` compute, thousands of kernels that run
# for a moment, without optimisation: that takes half as long. Whether kernels are right when LLVM optimises them,
# all other tests say.
case "$1" in
*/against_eval-*) export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable ;;
esac
exec "$@"
