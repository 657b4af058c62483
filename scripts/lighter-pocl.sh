#!/usr/bin/env bash
# Prints the folder of OpenCL drivers that tests use (for the variable OCL_ICD_VENDORS): those of this machine,
# but PoCL with fewer declarations. Beside it stands the folder `linker` (for the variable COMPILER_PATH).
#
# PoCL reads Clang's `opencl-c.h`, 14,000 declarations of functions, for each program that it builds. That takes
# as long as all the rest for a kernel of ours. PoCL looks for the file beside its library: here stands a link
# to the library, with links to all its other files and an `opencl-c.h` that declares only functions whose
# names occur in what prints kernels or contains some, for the types that these have. A kernel that calls another
# function does not compile, so that none computes anything else.
#
# PoCL starts a linker for each kernel and each size of a group. The linker reads the symbols of the system's
# libraries, which takes a quarter of the time, and uses none of them: the symbols of a kernel are looked up when it
# is loaded. The one in `linker` finds empty libraries with the same names first. It is for processes that run
# kernels; it cannot link programs.
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
mkdir -p "$folder"/lib/this-machine "$folder"/share/pocl/include "$folder"/vendors "$folder"/linker/empty
ln -s "$library" "$(dirname "$library")/pocl" "$folder/lib/this-machine/"
ln -s "$(realpath "$files")"/*.bc "$folder/share/pocl/"
ln -s "$(realpath "$files")"/include/* "$folder/share/pocl/include/"
cp "$system"/*.icd "$folder/vendors/"
echo "$folder/lib/this-machine/$(basename "$library")" >"$folder/vendors/pocl.icd"

for name in libc.so.6 libm.so.6 libgcc_s.so.1; do
    cc -shared -nostdlib -Wl,-soname,"$name" -x c /dev/null -o "$folder/linker/empty/${name%.so.*}.so"
done
printf '#!/bin/sh\nexec "%s" -L"%s" "$@"\n' "$(command -v ld)" "$folder/linker/empty" >"$folder/linker/ld"
chmod +x "$folder/linker/ld"

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
            name = arguments = $0
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            sub(/[^(]*\(/, "", arguments)
            # Names that are put together of a word, a type and a width. Kernels round in one way, and saturate
            # scalars only.
            if (name ~ /^convert_/)
                wanted = name !~ /_rt[ezpn]$|[0-9]_sat$/
            else
                wanted = name in named || name ~ /^v(load|store)[0-9]+$/
            # These are words of texts.
            if (name ~ /^(all|any|mix|radians|step)$/)
                wanted = 0
            # No vector has three components, none is compared with a scalar, and what selects has a sign.
            if ($0 ~ /[a-z_]3[ (,)]/ || (name ~ /^(clamp|max|min)$/ && arguments ~ /[0-9],.*[a-z][,)]/) ||
                (name == "select" && arguments ~ /, u[a-z]*[0-9]*\)/))
                wanted = 0
            if (wanted)
                print
            else
                left_out = !/;/
        }
    ' - "$files/include/opencl-c.h" >"$folder/share/pocl/include/opencl-c.h"
echo "$folder/vendors"
