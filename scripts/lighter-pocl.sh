#!/usr/bin/env bash
# Prints the folder of OpenCL drivers that tests use (for the variable OCL_ICD_VENDORS): those of this machine,
# but PoCL with fewer declarations.
#
# PoCL reads Clang's `opencl-c.h`, 14,000 declarations of functions, for each program that it builds. That takes
# as long as all the rest for a kernel of ours. PoCL looks for the file beside its library: here stands a link
# to the library, with links to all its other files and an `opencl-c.h` that declares only functions whose
# names occur in what prints kernels or contains some. A kernel that calls another function does not compile,
# so that none computes anything else.
#
# Where PoCL is not installed as Debian does it, the folder is the system's.
set -euo pipefail
cd "$(dirname "$0")/.."

system=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
library="$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p | sed -n 's/^\s*libpocl\.so.* => //p' | head --lines 1)"
files="$(dirname "$library")/../../share/pocl"
if [[ ! -f $system/pocl.icd || ! -f $files/include/opencl-c.h ]]; then
    echo "$system"
    exit
fi

folder="${CARGO_TARGET_DIR:-$PWD/target}/pocl"
rm -rf "$folder"
mkdir -p "$folder"/lib/this-machine "$folder"/share/pocl/include "$folder"/vendors
ln -s "$library" "$(dirname "$library")/pocl" "$folder/lib/this-machine/"
ln -s "$(realpath "$files")"/*.bc "$folder/share/pocl/"
ln -s "$(realpath "$files")"/include/* "$folder/share/pocl/include/"
cp "$system"/*.icd "$folder/vendors/"
echo "$folder/lib/this-machine/$(basename "$library")" >"$folder/vendors/pocl.icd"

rm "$folder/share/pocl/include/opencl-c.h"
# `words.rs` lists names that no variable may have.
grep -rhoE --include='*.rs' --include='*.cl' --exclude=words.rs '[a-z][a-z0-9_]+' \
    lift-core/src/ir lift-core/src/print lift-runtime benches | sort --unique |
    awk '
        NR == FNR { named[$1]; next }
        # A declaration may have several lines.
        left_out { left_out = !/;/; next }
        !/^[a-z].*__ovld/ { print; next }
        {
            name = $0
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            # Names that are put together of a word, a type and a width. Kernels round in one way, and saturate
            # scalars only.
            if (name ~ /^convert_/)
                wanted = name !~ /_rt[ezpn]$|[0-9]_sat$/
            else
                wanted = name in named || name ~ /^v(load|store)[0-9]+$/
            if (wanted)
                print
            else
                left_out = !/;/
        }
    ' - "$files/include/opencl-c.h" >"$folder/share/pocl/include/opencl-c.h"
echo "$folder/vendors"
