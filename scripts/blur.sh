#!/usr/bin/env bash
# Blurs a photograph with kernels that lift! generated, and checks the result.
#
#   scripts/blur.sh                     blurs examples/photograph.jpg
#   scripts/blur.sh picture.jpg [to]    blurs a PNG or JPEG of yours
#
# It needs Rust and a C compiler, and installs nothing: it computes on a GPU where there is one with OpenCL, else on the host.
set -euo pipefail

root="$(dirname "$(dirname "$(readlink -f "$0")")")"
exec cargo run --quiet --release --manifest-path "$root/Cargo.toml" --example blur -- "$@"
