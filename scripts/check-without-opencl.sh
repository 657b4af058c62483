#!/usr/bin/env bash
# Proves that a program that uses this project builds, links and starts on a machine without any OpenCL file,
# and that the same binary finds a driver where there is one.
#
# It has to run as root, for it hides the OpenCL libraries in a mount namespace of its own (`unshare --mount`):
# every folder that holds a libOpenCL is covered by an overlay in which these files are deleted, and the list
# of drivers by an empty folder. Nothing outside the namespace changes, and it ends with this script.
#
# The build happens inside, into a target folder of its own that is removed afterwards, so that nothing that
# was linked before can help. Dependencies have to be downloaded already (`cargo fetch`).
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $EUID -ne 0 ]]; then
    echo "this check needs root, to hide the OpenCL libraries in a mount namespace" >&2
    exit 2
fi

if [[ ${1-} != inside ]]; then
    target=$(mktemp -d)
    trap 'rm -rf "$target"' EXIT
    export CARGO_TARGET_DIR=$target
    unshare --mount --propagation private "$0" inside

    binary=$target/debug/examples/devices
    echo "== the same binary with the drivers of this machine"
    env -u LIFT_DEVICE "$binary" | tee "$target/output"
    if ! grep -Eq '^  .*, (Gpu|Cpu|Accelerator)$' "$target/output"; then
        echo "FAILED: the binary does not see the installed driver" >&2
        exit 1
    fi
    if command -v oclgrind >/dev/null; then
        echo "== the same binary under oclgrind"
        LIFT_DEVICE=oclgrind oclgrind "$binary" | tee "$target/output"
        if ! grep -qi 'default: .*oclgrind' "$target/output"; then
            echo "FAILED: the binary bypasses a preloaded OpenCL library" >&2
            exit 1
        fi
    fi
    echo "ok"
    exit
fi

# From here on inside the namespace.
find_libraries() { find /usr /lib /lib64 /opt -xdev -name 'libOpenCL.*' ! -path '*/share/*' 2>/dev/null || true; }

layers=$(mktemp -d)
mount -t tmpfs tmpfs "$layers"
number=0
while read -r folder; do
    number=$((number + 1))
    mkdir -p "$layers/$number/upper" "$layers/$number/work"
    mount -t overlay overlay \
        -o "lowerdir=$folder,upperdir=$layers/$number/upper,workdir=$layers/$number/work" "$folder"
    rm -f "$folder"/libOpenCL.*
done < <(find_libraries | xargs -r -n1 dirname | xargs -r -n1 realpath | sort -u)
mkdir -p "$layers/empty"
if [[ -d /etc/OpenCL ]]; then mount --bind "$layers/empty" /etc/OpenCL; fi
unset LIFT_DEVICE OPENCL_DYLIB_PATH OCL_ICD_VENDORS OCL_ICD_FILENAMES LD_PRELOAD LD_LIBRARY_PATH

if [[ -n $(find_libraries) ]]; then
    echo "FAILED: these libraries could not be hidden:" >&2
    find_libraries >&2
    exit 1
fi

echo "== building and linking without OpenCL"
cargo build --offline --quiet -p lift-runtime --features host --example devices
binary=$CARGO_TARGET_DIR/debug/examples/devices
if ldd "$binary" | grep -i opencl; then
    echo "FAILED: the binary is linked to an OpenCL library" >&2
    exit 1
fi
echo "== starting without OpenCL"
SECONDS=0
"$binary" | tee "$layers/output"
if ! grep -q '^default: host' "$layers/output"; then
    echo "FAILED: the binary does not compute on the host" >&2
    exit 1
fi
if ! grep -q 'libOpenCL.so.1: ' "$layers/output" || ! grep -q 'apt install .*pocl-opencl-icd' "$layers/output"; then
    echo "FAILED: the binary does not say that there is no OpenCL, and what would install it" >&2
    exit 1
fi
if ((SECONDS > 5)); then
    echo "FAILED: it took $SECONDS s to find no OpenCL device" >&2
    exit 1
fi
