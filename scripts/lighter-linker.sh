# Sourced before programs that run kernels: where these use the PoCL of `lighter-pocl.sh`, it links with the linker
# that stands beside it.
linker="${OCL_ICD_VENDORS-}"
linker="${linker%/vendors}/linker"
if [[ -x $linker/ld ]]; then
    export COMPILER_PATH="$linker"
fi
