#!/usr/bin/env bash
# Runs a program of this repository as the tests are built: scripts/run.sh PROGRAM [ARGUMENT]..., where PROGRAM is `lift-bench`,
# `order-bench`, `host-bench`, `front-end`, `random-programs` or `examples/NAME`.
#
# It builds all of them, with the features that the tests ask for, so that nothing that the tests need is built twice.
set -euo pipefail
root="$(dirname "$(dirname "$(readlink -f "$0")")")"

program="${1:?usage: run.sh PROGRAM [ARGUMENT]...}"
shift
cargo build --quiet --manifest-path "$root/Cargo.toml" --profile tests --workspace --exclude lift-on-host --bins --examples
. "$root/scripts/lighter-linker.sh"
exec "${CARGO_TARGET_DIR:-$root/target}/tests/$program" "$@"
