# Sourced before programs that run kernels. Where these use the PoCL of `lighter-pocl.sh`, PoCL links with the
# linker beside it.
linker="${OCL_ICD_VENDORS-}"
linker="${linker%/vendors}/linker"
if [[ -x $linker/ld ]]; then
    export COMPILER_PATH="$linker"
fi
