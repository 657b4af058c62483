#!/usr/bin/env bash
# Blurs a photograph with OpenCL kernels that lift! generated, and checks the result.
#
#   scripts/blur.sh                     blurs examples/photograph.jpg
#   scripts/blur.sh picture.jpg [to]    blurs a PNG or JPEG of yours
#
# Installs PoCL, an OpenCL driver for the processor, where no OpenCL driver is installed.
set -euo pipefail

root="$(dirname "$(dirname "$(readlink -f "$0")")")"
"$root/scripts/install-packages.sh" device
exec cargo run --quiet --release --manifest-path "$root/Cargo.toml" --example blur -- "$@"
