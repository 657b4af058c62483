#!/usr/bin/env bash
# Profiles kernels of `lift-bench` on PoCL, hand-written ones beside generated ones: where their samples fall, and what the hot
# loops are made of.
#
#   scripts/profile-pocl.sh BENCHMARK [STRUCTURE [LINES]]
#   scripts/profile-pocl.sh '17x17 convolution' 'tiles in local memory'
#
# BENCHMARK and STRUCTURE are parts of the names that `lift-bench --quick --list` and its table print; LINES is how many lines of each hot loop are
# shown (40). It needs PoCL, `perf` and `objdump`; samples are taken by the clock, so that virtual machines without counters will do.
# One thread of PoCL computes, for the times of two depend on how the work-groups happened to be shared out.
#
# For each function of a kernel (PoCL makes one that executes a work-group), and each loop without inner loops into which 2 % of its samples fell: the share, the number of instructions, of floating-point results
# (an instruction on four floats has four), of instructions for each result, of accesses to the stack (spilled registers, and values that PoCL keeps for every
# work-item), of gathers and scatters, and of arithmetic instructions by the width of their registers.
#
# Where both kernels have one name, the generated one has about twice the samples: it is also called as users call it.
set -euo pipefail
cd "$(dirname "$0")/.."

benchmark=${1:?"usage: scripts/profile-pocl.sh BENCHMARK [STRUCTURE [LINES]]"}
structure=${2:-}
lines=${3:-40}

cargo build --release --quiet --package lift-bench
binary=${CARGO_TARGET_DIR:-target}/release/lift-bench
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export POCL_CACHE_DIR=$folder/cache POCL_MAX_PTHREAD_COUNT=1
mkdir "$POCL_CACHE_DIR"

measured=(--device 'Portable Computing Language' --quick --processor --fastest --only "$benchmark")
if [[ -n $structure ]]; then
    measured+=(--structure "$structure")
fi
perf record --quiet --event cpu-clock --freq 4000 --output "$folder/perf.data" -- \
    "$binary" "${measured[@]}" --runs 40 >"$folder/table" 2>"$folder/progress" || { cat "$folder/progress" >&2; exit 1; }
grep '^|' "$folder/table"

for kernel in "$POCL_CACHE_DIR"/*/*/*/*/*.so; do
    annotated=$(perf annotate --input "$folder/perf.data" --stdio --dso "$kernel" 2>/dev/null || true)
    [[ -n $annotated ]] || continue
    echo
    echo "== $(basename "$kernel" .so), $(basename "$(dirname "$kernel")")"
    awk -v lines="$lines" -f scripts/hot-loops.awk <<<"$annotated"
done
