//! The words that OpenCL C takes from the names of a kernel.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::ir::names::starts_with_one_of;

/// Words that a kernel may not use as names: keywords, types, and built-in functions and macros after which
/// users are likely to name functions or parameters. Families of such words are in [`is_of_family`].
const WORDS: &str = "
    auto break case char const constant continue default do double else enum extern float for global goto half
    if inline int kernel local long private register restrict return short signed sizeof static struct switch
    typedef union unsigned void volatile while bool true false uchar ushort uint ulong size_t ptrdiff_t
    main pipe read_only write_only read_write image2d_t image3d_t sampler_t event_t NULL INFINITY NAN
    HUGE_VALF abs abs_diff acos acosh acospi add_sat all any asin asinh atan atan2 atanh barrier bitselect
    cbrt ceil clamp clz copysign cos cosh cospi cross degrees distance dot erf erfc exp exp10 exp2 expm1 fabs
    fast_distance fast_length fdim floor fma fmax fmin fmod fract frexp gamma hadd hypot ilogb isequal
    isfinite isinf isnan isnormal ldexp length lgamma log log10 log1p log2 logb mad mad24 mad_hi mad_sat max
    maxmag min minmag mix modf mul24 mul_hi nan nextafter normalize pow pown powr prefetch printf radians
    remainder remquo rhadd rint rootn rotate round rsqrt select shuffle sign sin sincos sinh sinpi smoothstep
    sqrt step sub_sat tan tanh tanpi tgamma trunc upsample vload2 vload4 vload8 vstore2 vstore4 vstore8
    wait_group_events mem_fence get_global_id get_local_id get_group_id get_global_size get_local_size
    get_num_groups get_work_dim ctz popcount isequal
    isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered signbit nan
    vec_step complex imaginary generic uniform asm typeof linux unix intptr_t uintptr_t image1d_t
    image1d_buffer_t image1d_array_t image2d_array_t clk_event_t queue_t ndrange_t reserve_id_t MAXFLOAT
    HUGE_VAL get_global_offset get_enqueued_local_size get_global_linear_id get_local_linear_id read_mem_fence
    write_mem_fence work_group_barrier
";

/// The element types of OpenCL C.
const SCALAR_TYPES: [&str; 12] =
    ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"];

/// The prefixes of the names of conversions, of vector loads, of limits, and so on.
const RESERVED_PREFIXES: &str = "
    convert_ as_ vload vstore atomic_ atom_ native_ half_ work_group_ sub_group_ get_sub_group
    async_work_group_ read_image write_image get_image cl_khr_ M_ CLK_ CL_ FLT_ DBL_ HALF_
";

/// The suffixes of the names of the limits of integers, after the name of a type.
const LIMITS: [&str; 3] = ["_MAX", "_MIN", "_BIT"];

/// The words of [`WORDS`], and the prefixes, split once: kernels ask for hundreds of names.
static SPLIT_WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| WORDS.split_whitespace().collect());
static PREFIXES: LazyLock<Vec<&str>> = LazyLock::new(|| RESERVED_PREFIXES.split_whitespace().collect());

/// Whether a name is a word of the language.
pub(super) fn is_reserved(name: &str) -> bool {
    SPLIT_WORDS.contains(name)
}

/// Whether a name belongs to a family of names to which OpenCL gives a meaning.
pub(super) fn is_of_family(name: &str) -> bool {
    starts_with_one_of(name, &PREFIXES) || is_limit(name) || is_vector_type(name)
}

/// Whether it is the name of a limit of a type. All their letters are capital, unlike the last one of most
/// names.
fn is_limit(name: &str) -> bool {
    matches!(name.as_bytes(), [.., b'A'..=b'Z'])
        && LIMITS.iter().any(|limit| {
            name.strip_suffix(limit).is_some_and(|ty| ty.chars().all(|c| c.is_ascii_uppercase()))
        })
}

/// Whether it is a type of several elements in OpenCL C.
fn is_vector_type(name: &str) -> bool {
    matches!(name.as_bytes(), [.., b'0'..=b'9'])
        && SCALAR_TYPES.iter().any(|ty| {
            name.strip_prefix(ty).is_some_and(|width| matches!(width, "2" | "3" | "4" | "8" | "16"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_opencl_come_in_families() {
        let taken = [
            "convert_int",
            "as_float",
            "vload4",
            "atomic_add",
            "native_sin",
            "M_PI",
            "CLK_LOCAL_MEM_FENCE",
            "INT_MAX",
            "float4",
            "uchar16",
            "FLT_EPSILON",
        ];
        for name in taken {
            assert!(is_of_family(name), "{name}");
        }
        for name in ["converted", "t_max", "float5", "to_int"] {
            assert!(!is_of_family(name), "{name}");
        }
    }
}
