#!/usr/bin/env bash
# Builds programs that find mistakes on another machine without this repository, into the folder FOLDER: the mutated programs
# (`front-end`), the random ones for OpenCL devices (`random-programs`), and random programs of each range of seeds for the host
# (`on-host-FIRST..END`), and packs them into FOLDER.tar.xz: scripts/campaign-binaries.sh FOLDER 1000..1300 1300..1600
set -euo pipefail
cd "$(dirname "$0")/.."

folder="${1:?usage: campaign-binaries.sh FOLDER [FIRST..END]...}"
shift
mkdir -p "$folder"
export CARGO_PROFILE_DEV_DEBUG=0
target="$(cargo metadata --format-version 1 --no-deps | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')"

cargo build --profile tests --package lift-fuzz
install --strip "$target/tests/front-end" "$target/tests/random-programs" "$folder"
for seeds in "$@"; do
    LIFT_PROGRAMS="$seeds" cargo test --package lift-on-host --no-run
    # The newest test program is the one of these seeds.
    newest="$(find "$target/debug/deps" -name 'on_host-*' -type f -executable -printf '%T@ %p\n' | sort -n | tail -1 | cut -d ' ' -f 2-)"
    install --strip "$newest" "$folder/on-host-$seeds"
done
# The host's programs are not optimised, and large; packed, they are a sixth of that.
tar -C "$folder" -cf - . | xz -T0 -1 > "$folder.tar.xz"
ls -l "$folder" "$folder.tar.xz"
