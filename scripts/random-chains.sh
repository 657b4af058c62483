#!/usr/bin/env bash
# Compiles many random chains of layouts without optimisation, as procedural macros are built, and says which text is the longest and
# which took the longest. No text may be longer than 60 kB; those that take longer than a second of the processor are shown.
#
#   scripts/random-chains.sh                 chains of 10,000 seeds
#   CHAINS_FIRST=10000 CHAINS_COUNT=90000 scripts/random-chains.sh
set -euo pipefail
cd "$(dirname "$0")/.."

export CHAINS_COUNT="${CHAINS_COUNT:-10000}"
cargo test --package lift-core --test random -- chains::the_longest --ignored --nocapture
