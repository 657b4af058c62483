#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages on which lift's tests run: an OpenCL loader, PoCL and Oclgrind.
#
# What is installed already is left alone, and then neither the network nor root is needed.
set -euo pipefail

say() {
    echo "install-packages: $*"
}

fail() {
    say "$*" >&2
    exit 1
}

is_installed() {
    [[ "$(dpkg-query --show --showformat='${Status}' "$1" 2>/dev/null)" == "install ok installed" ]]
}

has_opencl_loader() {
    # ldconfig lives in a folder that is not on every user's path.
    PATH="$PATH:/usr/sbin:/sbin" ldconfig -p | grep 'libOpenCL\.so\.1' >/dev/null
}

as_root() {
    if [[ $EUID -eq 0 ]]; then
        "$@"
    else
        sudo "$@"
    fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get "$@" install --yes --quiet --no-install-recommends "${missing[@]}"
}

is_available() {
    LC_ALL=C apt-cache policy "$1" | grep 'Candidate: [^(]' >/dev/null
}

# Debian 13 has no Oclgrind, but Debian 12's works there. Its archive is read for this one installation; the
# system's list of archives stays as it is.
apt_install_with_debian_12() {
    local archives
    archives="$(mktemp --directory)"
    mkdir "$archives/sources" "$archives/lists"
    chmod -R go+rX "$archives"
    cp -a /etc/apt/sources.list.d/. "$archives/sources/"
    echo 'deb http://deb.debian.org/debian bookworm main' >"$archives/sources/debian-12.list"
    local options=(-o "Dir::Etc::sourceparts=$archives/sources" -o "Dir::State::lists=$archives/lists")
    local status=0
    as_root apt-get "${options[@]}" update --quiet && apt_install "${options[@]}" || status=$?
    as_root rm -rf "$archives"
    return $status
}

missing=()
want() {
    is_installed "$1" || missing+=("$1")
}

has_opencl_loader || want ocl-icd-libopencl1
want pocl-opencl-icd
command -v oclgrind >/dev/null || want oclgrind

if [[ ${#missing[@]} -eq 0 ]]; then
    say "everything that is needed is installed"
    exit 0
fi
command -v apt-get >/dev/null ||
    fail "${missing[*]} must be installed, and this system has no apt-get: install them, or another OpenCL driver, by hand"
[[ $EUID -eq 0 ]] || command -v sudo >/dev/null ||
    fail "${missing[*]} must be installed: run this script as root, as there is no sudo here"

say "installing ${missing[*]} with apt-get"
as_root apt-get update --quiet
unavailable=()
for package in "${missing[@]}"; do
    is_available "$package" || unavailable+=("$package")
done
if [[ ${#unavailable[@]} -eq 0 ]]; then
    apt_install
elif [[ "${unavailable[*]}" == "oclgrind" ]] && grep --quiet '^ID=debian$' /etc/os-release; then
    say "taking oclgrind from Debian 12, as this release has none"
    apt_install_with_debian_12
else
    fail "no archive of this system has ${unavailable[*]} (on Ubuntu they are in the component 'universe')"
fi
