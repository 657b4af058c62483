//! Names in the kernel text: the user's where possible, always legal OpenCL C, never twice.

use std::collections::BTreeSet;

/// Hands out names.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

/// Words that a kernel may not use as names: keywords, types, and built-in functions and macros that user functions
/// or parameters are likely to be called after.
const RESERVED: &str = "
    auto break case char const constant continue default do double else enum extern float for global goto half if
    inline int kernel local long private register restrict return short signed sizeof static struct switch typedef
    union unsigned void volatile while bool true false uchar ushort uint ulong size_t ptrdiff_t index_t main pipe
    read_only write_only read_write image2d_t image3d_t sampler_t event_t NULL INFINITY NAN HUGE_VALF
    abs abs_diff acos acosh acospi add_sat all any asin asinh atan atan2 atanh barrier bitselect cbrt ceil clamp clz
    copysign cos cosh cospi cross degrees distance dot erf erfc exp exp10 exp2 expm1 fabs fast_distance fast_length fdim
    floor fma fmax fmin fmod fract frexp gamma hadd hypot ilogb isequal isfinite isinf isnan isnormal ldexp length lgamma
    log log10 log1p log2 logb mad mad24 mad_hi mad_sat max maxmag min minmag mix modf mul24 mul_hi nan nextafter
    normalize pow pown powr prefetch printf radians remainder remquo rhadd rint rootn rotate round rsqrt select shuffle
    sign sin sincos sinh sinpi smoothstep sqrt step sub_sat tan tanh tanpi tgamma trunc upsample vload2 vload4 vload8
    vstore2 vstore4 vstore8 wait_group_events mem_fence get_global_id get_local_id get_group_id get_global_size
    get_local_size get_num_groups get_work_dim floor_divide floor_modulo
";

impl Names {
    /// A name like `wanted` that nothing else has.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let base = legal(wanted);
        let mut name = base.clone();
        let mut count = 1;
        while is_reserved(&name) || !self.taken.insert(name.clone()) {
            count += 1;
            name =
                if is_reserved(&base) && count == 2 { format!("{base}_") } else { format!("{base}_{count}") };
        }
        name
    }
}

fn is_reserved(name: &str) -> bool {
    RESERVED.split_whitespace().any(|word| word == name)
}

/// The characters of `wanted` that C allows in a name, none of the shapes that implementations keep for themselves.
fn legal(wanted: &str) -> String {
    let mut name: String =
        wanted.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    while name.contains("__") {
        name = name.replace("__", "_");
    }
    if name.starts_with('_') || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, 'x');
    }
    // Type parameters of the kernel are macros named T0, T1, …
    let is_type_parameter =
        name.strip_prefix('T').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if is_type_parameter || name.is_empty() {
        name.push_str("_value");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_never_handed_out_twice() {
        let mut names = Names::default();
        assert_eq!(names.fresh("row"), "row");
        assert_eq!(names.fresh("row"), "row_2");
        assert_eq!(names.fresh("float"), "float_");
        assert_eq!(names.fresh("float"), "float_3");
        assert_eq!(names.fresh("größe"), "gr_e");
        assert_eq!(names.fresh("__x"), "x_x");
        assert_eq!(names.fresh("T0"), "T0_value");
    }
}
