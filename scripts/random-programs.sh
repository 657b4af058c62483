#!/usr/bin/env bash
# Runs random programs of each kind on the OpenCL device that LIFT_DEVICE names, and on the host: COUNT of them (300), of the seeds
# from SEED on (0). The host compiles nothing at run time, so that its programs are built first, which takes longer than running them.
set -euo pipefail
cd "$(dirname "$0")/.."

count="${1:-300}"
first="${2:-0}"
end=$((first + count))

failed=0
for kind in high-level low-level groups repeated chains staged orders any-launch; do
    scripts/run.sh random-programs "$kind" "$first..$end" "$(nproc)" || failed=1
done

# More programs at once would be one crate that takes rustc too long.
for ((from = first; from < end; from += 300)); do
    to=$((from + 300 < end ? from + 300 : end))
    LIFT_PROGRAMS="$from..$to" cargo test --quiet --package lift-on-host random_programs || failed=1
done
exit "$failed"
