#!/usr/bin/env bash
# Compiles mutated programs of this repository with checks for overflow, in the stack of an editor's thread: COUNT of them
# (100,000), of the seed SEED (1), in so many processes (all cores). Fails if anything panics, hangs, or differs from one time to the next.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/run.sh front-end "${1:-100000}" "${2:-1}" "${3:-$(nproc)}"
