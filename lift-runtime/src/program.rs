//! The static description of one compiled `lift!` expression.
//!
//! This is the whole interface between generated code and this crate: the macro prints one `static` of
//! type [`Program`] and calls the runtime with it. Everything in it is `const`-constructible, so that the
//! generated code costs rustc next to nothing. Sizes are small symbolic trees over the program's size
//! variables; they are evaluated with checked arithmetic before every launch.

/// A size as a function of the program's size variables, in whole numbers.
///
/// Division and remainder are Euclidean; every operation is checked, an overflow or a division by zero
/// makes the launch fail with [`Error::Size`](crate::Error::Size).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// A literal.
    Constant(i64),
    /// The size variable with this position in [`Program::sizes`], or a summation index, whose slots
    /// follow those of the size variables, [`Repetition::step`] or [`Repetition::portion`].
    Variable(usize),
    /// The sum of all parts.
    Add(&'static [Size]),
    /// The product of all factors.
    Multiply(&'static [Size]),
    /// `left / right`.
    Divide(&'static Size, &'static Size),
    /// `left % right`.
    Remainder(&'static Size, &'static Size),
    /// The smaller one.
    Minimum(&'static Size, &'static Size),
    /// The larger one.
    Maximum(&'static Size, &'static Size),
    /// `base` to the power of `exponent`.
    Power(&'static Size, &'static Size),
    /// The integer logarithm to base two, rounded down.
    Log2(&'static Size),
    /// The sum of `body` for `slot` running from `from` to `to`, the end excluded.
    Sum {
        /// The variable slot that the index takes.
        slot: usize,
        /// The first value.
        from: &'static Size,
        /// One past the last value.
        to: &'static Size,
        /// The summand.
        body: &'static Size,
    },
    /// One of two sizes.
    If(&'static Condition, &'static Size, &'static Size),
}

/// A comparison of sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Condition {
    /// `left < right`.
    Less(&'static Size, &'static Size),
    /// `left <= right`.
    LessOrEqual(&'static Size, &'static Size),
    /// `left == right`.
    Equal(&'static Size, &'static Size),
    /// Both hold.
    And(&'static Condition, &'static Condition),
    /// One of them holds.
    Or(&'static Condition, &'static Condition),
    /// It does not hold.
    Not(&'static Condition),
}

/// The type of one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// One byte in buffers, 0 or 1.
    Bool,
    /// 8 bits, signed.
    I8,
    /// 8 bits, unsigned.
    U8,
    /// 16 bits, signed.
    I16,
    /// 16 bits, unsigned.
    U16,
    /// 32 bits, signed.
    I32,
    /// 32 bits, unsigned.
    U32,
    /// 64 bits, signed.
    I64,
    /// 64 bits, unsigned.
    U64,
    /// IEEE 754 half precision; needs `cl_khr_fp16`.
    F16,
    /// IEEE 754 single precision.
    F32,
    /// IEEE 754 double precision; needs `cl_khr_fp64`.
    F64,
    /// The program's type parameter with this position, fixed by the Rust type of an argument.
    Parameter(usize),
}

/// What a parameter of a program is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterType {
    /// A scalar passed by value.
    Scalar(ScalarType),
    /// A vector passed by value: the type of its components, and how many they are.
    Vector(ScalarType, usize),
    /// A `usize` of Rust that is a size of the program: it fixes the size variable with this position.
    Size(usize),
    /// A dense, row-major array.
    Array {
        /// The type of one element.
        element: ScalarType,
        /// The lengths, outermost first.
        shape: &'static [Size],
    },
}

/// One parameter, in the order in which the user passes them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// The user's name for it.
    pub name: &'static str,
    /// What it is.
    pub ty: ParameterType,
}

/// A size variable of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeVariable {
    /// As the user knows it: `N`, or `len(a)`, `len(a, 1)` where it has no name.
    pub name: &'static str,
    /// The smallest value for which the program was compiled.
    pub minimum: u64,
}

/// A dense array that the program makes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArrayType {
    /// The type of one element.
    pub element: ScalarType,
    /// The lengths, outermost first; none for a scalar.
    pub shape: &'static [Size],
}

/// What an [`Obligation`] asks of two sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `left == right`.
    Equal,
    /// `left <= right`.
    AtMost,
    /// `left` divides `right` without remainder.
    Divides,
    /// `left`, as a function of the variable in a slot, is a permutation: it maps the positions below `right`
    /// onto themselves, no two to one place.
    Permutes {
        /// The slot of the position.
        slot: usize,
    },
}

/// A constraint that could not be decided during expansion; it is checked before anything is launched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obligation {
    /// What must hold, in the user's words: "`split(n)` needs `n` to divide `len(a)`".
    pub text: &'static str,
    /// Left operand.
    pub left: Size,
    /// What must hold between them.
    pub relation: Relation,
    /// Right operand.
    pub right: Size,
}

/// What is bound to one parameter of an OpenCL kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// The program's parameter with this position: a buffer or a scalar.
    Parameter(usize),
    /// The program's result with this position.
    Result(usize),
    /// The temporary with this position.
    Temporary(usize),
    /// The size variable with this position, as `index_t`.
    Size(usize),
    /// What a repetition around the kernel has in this slot, as `index_t`: its iteration counter
    /// ([`Repetition::step`]), or the first row or the number of rows of its [`Repetition::portion`].
    Counter(usize),
}

/// One OpenCL kernel of a program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kernel {
    /// Its name in the source.
    pub entry: &'static str,
    /// What its parameters are bound to, in order.
    pub arguments: &'static [Argument],
    /// The same for its function for the host, which may need sizes that OpenCL gets from the launch.
    pub host_arguments: &'static [Argument],
    /// The number of work-items that are needed per dimension; it is rounded up to multiples of `local`.
    pub global: [Size; 3],
    /// Work-items per group and dimension.
    pub local: [usize; 3],
    /// Whether the kernel is correct for other launches.
    pub launches: Launches,
    /// Bytes of local memory that the kernel declares.
    pub local_memory: Size,
}

/// The launches that a kernel is correct for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launches {
    /// The one that its description states, pinned by `reqd_work_group_size`.
    Pinned,
    /// Any launch that has work-items only where there is work, by dimension; the stated one if nobody
    /// chooses.
    Any([Distribution; 3]),
}

/// What a kernel distributes over one dimension of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// Nothing: there is one work-item.
    Nothing,
    /// Work over the work-items of the device, whatever groups they are in.
    Items,
    /// Work over groups, which have one work-item.
    Groups,
    /// Work over the work-items of the only group.
    ItemsOfGroup,
    /// Work over groups, and in them over their work-items.
    GroupsAndItems,
}

/// What a launcher does next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action {
    /// It launches the kernel with this position.
    Launch(usize),
    /// It repeats actions.
    Repeat(Repetition),
}

/// Actions that are repeated: for each application of an `iterate`, or for each portion of rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repetition {
    /// The number of iterations.
    pub count: Size,
    /// The slot of the iteration counter, in the launch sizes of the kernels and in repetitions inside;
    /// `None` if all iterations are alike.
    pub step: Option<usize>,
    /// The rows of each iteration; `None` if each iteration is for all rows.
    pub portion: Option<Portion>,
    /// The arrays that go from one iteration to the next.
    pub arrays: &'static [Alternation],
    /// The actions of one iteration.
    pub body: &'static [Action],
}

/// The rows that one iteration handles: `most` of them, and the rest in the last iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Portion {
    /// The slot of the first row of the portion.
    pub first: usize,
    /// The slot of the number of rows of the portion.
    pub count: usize,
    /// The number of all rows.
    pub rows: Size,
    /// The greatest number of rows of a portion, at least one.
    pub most: Size,
}

/// Two arrays that change places from one iteration to the next.
///
/// Kernels read `before` and write `after`. In every second iteration, counted back from the last, these two
/// are exchanged. The first iteration reads `input` instead, and the last iteration writes `output`, which
/// may be `after`. `input` stays as it is. All others are different arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternation {
    /// What the first iteration reads.
    pub input: Argument,
    /// What kernels read.
    pub before: Argument,
    /// What kernels write.
    pub after: Argument,
    /// What the last iteration writes.
    pub output: Argument,
}

/// A compiled `lift!` expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Program {
    /// The user's name for it, or a description of an inline expression.
    pub name: &'static str,
    /// The OpenCL C. It reads macros that are given at build time: `index_t` (`int` or `long`, from
    /// [`Program::extents`] and the kind of the device) and, for each type parameter, `T0`, `T0_WRAPPING` (in
    /// which integer arithmetic wraps), `T0_IS_FLOAT` and `T0_BITS`. It defines those that are not given.
    pub source: &'static str,
    /// The number of element types that are left to the arguments; each is built as `-D T0=float` and so on.
    pub type_parameters: usize,
    /// The size variables.
    pub sizes: &'static [SizeVariable],
    /// The parameters. A tuple is several: `p.0`, `p.1`.
    pub parameters: &'static [Parameter],
    /// The results: one; for a tuple or an array of tuples, its components.
    pub results: &'static [ArrayType],
    /// What sizes must satisfy and was not proved during expansion.
    pub obligations: &'static [Obligation],
    /// Device buffers that live for one call.
    pub temporaries: &'static [ArrayType],
    /// Bounds of what kernels compute with indices: no such number is further from 0 than the largest of
    /// these and 2^24. A size of 0 counts as 1 here.
    pub extents: &'static [Size],
    /// The kernels.
    pub kernels: &'static [Kernel],
    /// The order in which they are launched, and how often.
    pub steps: &'static [Action],
    /// What is computed more often than the program says, in words: which array, and how often.
    pub repeated: &'static [&'static str],
}
