//! The static description of one compiled `lift!` expression.
//!
//! This is the whole interface between generated code and this crate: the macro prints one `static` of
//! type [`Program`] and calls the runtime with it. Everything in it is `const`-constructible, so that the
//! generated code costs rustc next to nothing. Sizes are small symbolic trees over the program's size
//! variables; they are evaluated with checked arithmetic before every launch.
//!
//! What the compiler says in the same way comes from `lift_description`: here with sizes as trees, variables
//! as slots and lists as slices.

use std::fmt::Debug;

pub use lift_description::{DeviceClass, Distribution, Launches, ScalarClass, ScalarType, TypeParameter};
use lift_description::{Notation, PLAIN};

/// The description of a program as an expansion writes it: constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constants {}

impl Notation for Constants {
    type Text = &'static str;
    /// A slot: see [`Size::Variable`].
    type Variable = usize;
    type Size = Size;
    type Condition = Condition;
    type List<T: Clone + Debug + PartialEq + 'static> = &'static [T];
}

/// One way to compute a program. Its bounds of indices ([`Form::extents`]): no number that its kernels
/// compute with indices is further from 0 than the largest of these and 2^24. A size of 0 counts as 1 there.
pub type Form = lift_description::Form<Constants>;
/// What a program asks of the arithmetic of a device.
pub type Exactness = lift_description::Exactness<Constants>;
/// A condition on sizes for which a form was compiled.
pub type Guard = lift_description::Guard<Constants>;
/// A device buffer that lives for one call.
pub type Temporary = lift_description::Temporary<Constants>;
/// What a launcher does next.
pub type Action = lift_description::Action<Constants>;
/// Actions that are repeated.
pub type Repetition = lift_description::Repetition<Constants>;
/// The rows that one iteration handles.
pub type Portion = lift_description::Portion<Size, usize>;
/// How a repetition ends before it has done all iterations.
pub type End = lift_description::End<Constants>;
/// Two arrays that change places from one iteration to the next.
pub type Alternation = lift_description::Alternation<Argument>;
/// One kernel of a program.
pub type Kernel = lift_description::Kernel<Constants>;
/// What is bound to one parameter of a kernel.
pub type Argument = lift_description::Argument<usize>;

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

/// A compiled `lift!` expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Program {
    /// The user's name for it, or a description of an inline expression.
    pub name: &'static str,
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
    /// The form that is right wherever the program is. The host always computes it, and devices do where none
    /// of the others is possible.
    pub plain: Form,
    /// The forms that are tried before, in order.
    pub others: &'static [Form],
    /// What it asks of the arithmetic of a device.
    pub exact: Exactness,
    /// What the plain form computes more often than the program says, in words: which array, and how often.
    pub repeated: &'static [&'static str],
}

/// A plain form without kernels, which others are written as a change of.
///
/// [`Form::source`] reads macros that are given at build time: `index_t` (`int` or `long`, from
/// [`Form::extents`] and the kind of the device) and, for each type parameter, `T0`, `T0_WRAPPING` (in which
/// integer arithmetic wraps), `T0_IS_FLOAT` and `T0_BITS`. It defines those that are not given.
pub const NO_KERNELS: Form = Form {
    name: PLAIN,
    devices: DeviceClass::Any,
    guards: &[],
    thresholds: &[],
    derivation: "",
    source: "",
    temporaries: &[],
    extents: &[],
    kernels: &[],
    steps: &[],
};

/// What a program asks of the arithmetic of a device that lets it round as it likes: nothing.
pub const ROUNDED_FREELY: Exactness = Exactness { computed: &[], divided: &[] };

impl Program {
    /// All forms, in the order in which they are tried.
    pub(crate) fn forms(&'static self) -> impl Iterator<Item = &'static Form> {
        self.others.iter().chain([&self.plain])
    }
}
