//! Names in the kernel text: the user's where possible, always legal OpenCL C, never used twice in a kernel.
//!
//! Things that several kernels see have one name in all of them: parameters, temporaries, functions, and
//! declarations at the top of a kernel, which others may declare again. Every other name belongs to its
//! kernel, and the next kernel may use it for something else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::kernel::{ValueType, Variable};
use super::nat::Var;

/// Makes variables with names that are unique in a kernel, for every stage and every pass.
#[derive(Debug, Default, Clone)]
pub struct Fresh {
    names: Names,
    /// The number of the newest variable of the algebra.
    newest: u32,
}

impl Fresh {
    /// A supply that avoids these names, and numbers up to `newest`.
    pub(crate) fn new(names: Names, newest: u32) -> Fresh {
        Fresh { names, newest }
    }

    /// A name like `wanted`.
    pub(crate) fn name(&mut self, wanted: &str) -> String {
        self.names.fresh(wanted)
    }

    /// A variable of the kernel text, with a name like `wanted`.
    pub(crate) fn variable(&mut self, wanted: &str, ty: ValueType) -> Variable {
        Variable { name: self.name(wanted), ty }
    }

    /// A variable of the algebra, with a name like `wanted`.
    pub(crate) fn index(&mut self, wanted: &str) -> Var {
        let name = self.name(wanted);
        Var::new(self.number(), name)
    }

    /// A variable of the algebra that no kernel text mentions, so that its name need not be unique.
    pub(crate) fn unprinted(&mut self, name: &str) -> Var {
        Var::new(self.number(), name)
    }

    /// A number that no variable of the algebra has.
    pub(crate) fn number(&mut self) -> u32 {
        self.newest += 1;
        self.newest
    }

    /// The number of the newest variable of the algebra: larger numbers are free.
    pub(crate) fn newest(&self) -> u32 {
        self.newest
    }

    /// Forgets the variables of the algebra made since this number was the newest.
    pub(crate) fn forget_since(&mut self, newest: u32) {
        self.newest = newest;
    }

    /// The names that are taken.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// Frees these names: what they named is out of scope.
    pub(crate) fn release<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        self.names.release(names);
    }

    /// Replaces the names that are taken, as for another kernel.
    pub(crate) fn with_names(&mut self, names: Names) {
        self.names = names;
    }
}

/// Hands out names.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
    /// The last number given to each wanted name, so that many similar names are found without trying all of
    /// them.
    counts: BTreeMap<String, usize>,
    /// The base of each wanted name. Most are wanted again and again, and long lists have to be searched for
    /// each.
    known: BTreeMap<String, Base>,
}

/// A name that OpenCL C allows, before a number makes it unique.
#[derive(Debug, Clone, PartialEq)]
struct Base {
    name: String,
    is_reserved: bool,
}

/// Words that a kernel may not use as names: keywords, types, and built-in functions and macros after which
/// users are likely to name functions or parameters. Families of such words are in [`is_of_reserved_family`].
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
    get_local_size get_num_groups get_work_dim floor_divide floor_modulo index_power index_log2 ctz popcount isequal
    isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered signbit nan vec_step
    complex imaginary generic uniform asm typeof linux unix intptr_t uintptr_t
    image1d_t image1d_buffer_t image1d_array_t image2d_array_t clk_event_t queue_t ndrange_t reserve_id_t
    MAXFLOAT HUGE_VAL get_global_offset get_enqueued_local_size get_global_linear_id get_local_linear_id
    read_mem_fence write_mem_fence work_group_barrier
";

/// The element types of OpenCL C.
const SCALAR_TYPES: [&str; 12] =
    ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"];

/// The prefixes of the names of conversions, of vector loads, of limits, and so on.
const RESERVED_PREFIXES: &str = "
    convert_ as_ vload vstore atomic_ atom_ native_ half_ work_group_ sub_group_ get_sub_group async_work_group_
    read_image write_image get_image cl_khr_ M_ CLK_ CL_ FLT_ DBL_ HALF_
";

/// The prefixes of the names of the preamble's helpers; a type follows.
const HELPER_PREFIXES: &str = "
    add_ subtract_ multiply_ divide_ remainder_ compare_ min_ max_ abs_ sign_ dot_ choose_
    equal_ unequal_ less_ at_most_ greater_ at_least_
";

/// The suffix, after the name of a loop's index, of the variable that holds the end of the loop.
pub(crate) const END: &str = "_end";

/// The suffix, after the name of the index of a loop in rounds, of the index of a group's first work-item.
pub(crate) const FIRST: &str = "_of_first";

/// The suffixes of the names of the limits of integers, after the name of a type.
const LIMITS: [&str; 3] = ["_MAX", "_MIN", "_BIT"];

impl Names {
    /// Frees these names: what they named is out of scope.
    pub(crate) fn release<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            self.taken.remove(name);
        }
        self.counts.clear();
    }

    /// A name like `wanted` that nothing else has.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        let Base { name: base, is_reserved } = self.base(wanted);
        let count = self.counts.entry(base.clone()).or_default();
        loop {
            *count += 1;
            let name = match *count {
                1 if is_reserved => continue,
                1 => base.clone(),
                2 if is_reserved => format!("{base}_"),
                number => format!("{base}_{number}"),
            };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Whether a name is taken.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Takes a name.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    fn base(&mut self, wanted: &str) -> Base {
        if let Some(base) = self.known.get(wanted) {
            return base.clone();
        }
        let name = legal(wanted);
        let base = Base { is_reserved: is_reserved(&name), name };
        self.known.insert(wanted.to_owned(), base.clone());
        base
    }
}

/// The words of [`RESERVED`], and the prefixes, split once: kernels ask for hundreds of names.
static RESERVED_WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| RESERVED.split_whitespace().collect());
static PREFIXES: LazyLock<Vec<&str>> = LazyLock::new(|| RESERVED_PREFIXES.split_whitespace().collect());
static PREFIXES_OF_HELPERS: LazyLock<Vec<&str>> =
    LazyLock::new(|| HELPER_PREFIXES.split_whitespace().collect());

fn is_reserved(name: &str) -> bool {
    RESERVED_WORDS.contains(name)
}

/// Whether a name belongs to a family of names to which OpenCL, or the preamble of the kernel text, gives a
/// meaning.
fn is_of_reserved_family(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || PREFIXES_OF_HELPERS.iter().any(|prefix| name.strip_prefix(prefix).is_some_and(is_type))
        || name.split_once("_to_").is_some_and(|(from, to)| is_type(from) && is_type(to))
        || LIMITS.iter().any(|limit| {
            name.strip_suffix(limit).is_some_and(|ty| ty.chars().all(|c| c.is_ascii_uppercase()))
        })
        || name.ends_with(END)
        || name.ends_with(FIRST)
        || is_vector_type(name)
}

/// Whether it is an element type in OpenCL C, or the macro of a type parameter.
fn is_type(name: &str) -> bool {
    let is_parameter = || {
        let number = name.strip_prefix('T');
        number.is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
    };
    let is_vector_of_parameter = || {
        name.rsplit_once('_').is_some_and(|(ty, width)| {
            matches!(width, "2" | "4" | "8" | "16") && ty.starts_with('T') && is_type(ty)
        })
    };
    SCALAR_TYPES.contains(&name) || is_parameter() || is_vector_type(name) || is_vector_of_parameter()
}

/// Whether it is a type of several elements in OpenCL C.
fn is_vector_type(name: &str) -> bool {
    SCALAR_TYPES
        .iter()
        .any(|ty| name.strip_prefix(ty).is_some_and(|width| matches!(width, "2" | "3" | "4" | "8" | "16")))
}

/// A legal name for `wanted`: the characters that C allows, without the forms that implementations reserve.
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
    if is_of_reserved_family(&name) {
        name.insert_str(0, "user_");
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

    #[test]
    fn names_that_opencl_or_the_preamble_has_in_families_are_not_handed_out() {
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
            "add_int",
            "subtract_T0",
            "multiply_long",
            "min_T12",
            "add_int4",
            "dot_T0_8",
        ];
        for name in taken {
            assert_eq!(Names::default().fresh(name), format!("user_{name}"), "{name}");
        }
        for name in ["converted", "add_one", "t_max", "float5", "minimum", "to_int", "max_of"] {
            assert_eq!(Names::default().fresh(name), name);
        }
    }
}
