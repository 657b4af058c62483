//! The typed program: output of type inference, input of every later stage.
//!
//! Inference also elaborates, so that later stages see few forms:
//! - every primitive is saturated; a partial application or a composition has become a [`Lambda`];
//! - functions stand only where a primitive takes one; `let`-bound and user functions on arrays are inlined,
//!   with their arguments bound by [`ExprKind::Let`] so that nothing is computed twice;
//! - patterns have become [`ExprKind::Component`]s of one variable;
//! - `>>` is gone, `id` is its argument, built-in operators are [`ExprKind::Binary`] or
//!   [`ExprKind::Builtin`];
//! - literals have a type; a number used where a vector is expected is broadcast explicitly;
//! - sizes are [`Nat`]s, decided or listed in [`Program::obligations`].
//!
//! Trees are never changed in place: a stage makes a new tree or a table keyed by [`NodeId`] (annotations on
//! shared nodes were the largest source of faults in earlier implementations). So trees share what they have
//! in common. Replacing a node copies the path to it and nothing else; keeping the old tree copies nothing.
//!
//! The same node may therefore stand in several places, of one tree or of several. A table keyed by
//! [`NodeId`] may only hold what does not depend on the place: not what is bound around a node, how often it
//! is computed or where it is written. Who has to tell the places in an expression apart asks
//! [`is_same_place`].

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, TypeParameter, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::types::Type;

pub mod alpha;
pub mod binders;
pub mod build;
pub mod check;
mod child_list;
mod children;
mod condition;
mod directive;
mod form;
pub mod keyed;
pub mod layout;
mod path;
mod requirement;
pub mod result;
mod schedule;
pub mod segment;
pub mod shapes;
pub mod shared_update;
pub mod show;
mod substitute;
#[cfg(test)]
mod tests;

pub use child_list::Children;
pub use children::{Application, is_same_place};
pub use condition::compare;
pub use directive::{Backend, Laws, Rounding, Strategy};
pub use layout::{Boundary, IndexFunction, IndexFunctionKind, Layout, Rows};
pub use path::{Around, Path};
pub use requirement::is_linear;
pub use schedule::{ScheduleTerm, ScheduleTermKind};

/// Identifies a node in tables of analyses. Within one [`Program`], a node and changed copies of it have the
/// same, in whatever places they stand; different nodes have different ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A variable bound by a parameter, a lambda or a `let`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable {
    /// Unique within one program.
    pub id: u32,
    /// The user's name for it, for the kernel text and messages.
    pub name: Arc<str>,
}

/// A typed expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Its key in tables.
    pub id: NodeId,
    /// Its type.
    pub ty: Type,
    /// The source where the user wrote it.
    pub source: Source,
    /// Its form.
    pub kind: ExprKind,
}

/// A variable of a `let`, with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The variable.
    pub variable: Variable,
    /// Its value.
    pub value: Arc<Expr>,
}

/// The forms of a typed expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A number or truth value of the node's scalar type.
    Literal(Literal),
    /// A bound variable.
    Variable(Variable),
    /// A size or an index as a value. Its type is [`Type::Size`], or the integer type it was cast to.
    Size(Nat),
    /// `(a, b)`
    Tuple(Vec<Arc<Expr>>),
    /// `a.k`
    Component(Arc<Expr>, usize),
    /// `[a, b, c]`: a small constant array.
    ArrayLiteral(Vec<Arc<Expr>>),
    /// `{ let variable = value; …; body }`: each value is computed at most once. It is a list instead of a
    /// nest, so that many bindings do not make the tree higher; [`ExprKind::bound`] makes it.
    Let {
        /// The bindings, in order: a value may mention the variables before it.
        bindings: Vec<Binding>,
        /// The body; it is not a `Let` itself.
        body: Arc<Expr>,
    },
    /// An operator on a scalar or, element by element, on a vector.
    Unary(UnaryOperator, Arc<Expr>),
    /// An operator on two scalars or vectors of one type. Comparisons return `bool`; for vectors, one per
    /// component.
    Binary(BinaryOperator, Arc<Expr>, Arc<Expr>),
    /// A built-in scalar function, saturated.
    Builtin(Builtin, Vec<Arc<Expr>>),
    /// A named user function on scalars, vectors and tuples: [`Program::functions`] at this position.
    Function(usize, Vec<Arc<Expr>>),
    /// `if condition { then } else { otherwise }`; only the taken branch is evaluated.
    If(Arc<Expr>, Arc<Expr>, Arc<Expr>),
    /// `a as T`, with Rust's meaning (saturating from float to integer); for a vector, component by
    /// component.
    Cast(ScalarType, Arc<Expr>),
    /// A scalar in every component of a vector.
    Broadcast(Arc<Expr>),
    /// `vectorize(n, f)(a, b)`: a function on scalars, applied to vectors of one width component by
    /// component.
    Lanewise(Lambda, Vec<Arc<Expr>>),
    /// A map, at some level of the thread hierarchy.
    Map(MapKind, Lambda, Arc<Expr>),
    /// A reduction; the lambda takes the accumulator and an element. It gives the next accumulator, for
    /// [`ReduceKind::While`] after a truth value.
    Reduce(ReduceKind, Lambda, Arc<Expr>, Arc<Expr>),
    /// `zip(a, b, …)`: an array of tuples.
    Zip(Vec<Arc<Expr>>),
    /// A primitive that only determines where elements are.
    Layout(Layout, Arc<Expr>),
    /// `padConstant(left, right, value, input)`
    PadConstant {
        /// The number of elements added before the first.
        left: Nat,
        /// The number of elements added after the last.
        right: Nat,
        /// The added element.
        value: Arc<Expr>,
        /// The array.
        input: Arc<Expr>,
    },
    /// `toGlobal(f)(x)` and the like: `f(x)`, stored in a memory. `store(xs)` leaves the memory to the
    /// compiler.
    Store(Option<AddressSpace>, Arc<Expr>),
    /// `concat(a, b)`: arrays one after the other; two or more.
    Concat(Vec<Arc<Expr>>),
    /// One element of an array.
    At(Position, Arc<Expr>),
    /// `generate(length, f)`: the lambda has no parameters, its `index` is the position. Never stored on its
    /// own.
    Generate(Nat, Lambda),
    /// `repeat(length, value)`
    Repeat(Nat, Arc<Expr>),
    /// `unzip(xs)`: a tuple of arrays from an array of tuples.
    Unzip(Arc<Expr>),
    /// All prefixes of a reduction.
    Scan(ScanKind, Lambda, Arc<Expr>, Arc<Expr>),
    /// `iterate(count, f, xs)`: `f` applied `count` times. The lambda's `index` is the application counter;
    /// the types of its parameter and its body mention it, in closed form.
    Iterate(Nat, Lambda, Arc<Expr>),
    /// The second expression. The function of an [`ExprKind::Iterate`] whose body is one is applied only
    /// where the first expression, a truth value, holds: else the `iterate` ends before this application.
    EndUnless(Arc<Expr>, Arc<Expr>),
}

/// The element that [`ExprKind::At`] takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Position {
    /// The element at a size; it lies inside the array, which is proved or an obligation.
    Size(Nat),
    /// The element at an integer computed from data, clamped into the array.
    Clamped(Arc<Expr>),
    /// The element at an integer computed from data; a default where that lies outside the array.
    OrDefault(Arc<Expr>, Arc<Expr>),
}

/// The prefixes that a scan reduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScanKind {
    /// The prefixes before each element, from the initial value; the compiler decides who computes them.
    Exclusive,
    /// The same prefixes, in order, by one work-item.
    ExclusiveSequential,
    /// The prefixes that end with each element. There is no initial value: the first element is the first
    /// result, and only the type of the node's initial value is used.
    Inclusive,
}

/// A function that a primitive applies. Its parameters are variables with types; its result is `body.ty`.
#[derive(Debug, Clone, PartialEq)]
pub struct Lambda {
    /// The parameters.
    pub parameters: Vec<(Variable, Type)>,
    /// The position or the application counter that types and sizes of the body mention: for a map or a
    /// reduction over a position-dependent array, for [`ExprKind::Generate`] and for [`ExprKind::Iterate`].
    pub index: Option<Var>,
    /// The body.
    pub body: Arc<Expr>,
}

/// The number of dimensions of the thread hierarchy, and of a launch.
pub const DIMENSIONS: u8 = 3;

/// The workers that compute the elements of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MapKind {
    /// Left to the compiler.
    Unspecified,
    /// One work-item, in a loop.
    Sequential,
    /// One work-item, in straight-line code.
    Unrolled,
    /// One work-item, in a loop over windows; it keeps the elements that the next window shares.
    Sliding,
    /// Global work-items of a dimension.
    Global(u8),
    /// Work-groups of a dimension.
    WorkGroup(u8),
    /// Work-items of a group, in a dimension.
    Local(u8),
}

/// The way in which a reduction is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReduceKind {
    /// Left to the compiler.
    Unspecified,
    /// In order, by one work-item.
    Sequential,
    /// The same, with software pipelining: the loads of an iteration come before the computation of the
    /// iteration before it.
    Pipelined,
    /// The same, in straight-line code.
    Unrolled,
    /// In order, by one work-item, for as long as the function says: it gives a truth value and the next
    /// accumulator. Where the truth value is false, the reduction ends with the accumulator before.
    While,
    /// By the work-items of the device, in any order. The accumulator is an array in global memory, of which a
    /// step updates an element of integers ([`SharedUpdate`](shared_update::SharedUpdate)).
    Global,
    /// The same by the work-items of a group, in local memory.
    Local,
}

impl ReduceKind {
    /// All kinds.
    pub const ALL: [ReduceKind; 7] = [
        ReduceKind::Unspecified,
        ReduceKind::Sequential,
        ReduceKind::Pipelined,
        ReduceKind::Unrolled,
        ReduceKind::While,
        ReduceKind::Global,
        ReduceKind::Local,
    ];

    /// The name of the primitive.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ReduceKind::Unspecified => "reduce",
            ReduceKind::Sequential => "reduceSeq",
            ReduceKind::Pipelined => "reduceSeqPipelined",
            ReduceKind::Unrolled => "reduceSeqUnroll",
            ReduceKind::While => "reduceWhile",
            ReduceKind::Global => "reduceGlb",
            ReduceKind::Local => "reduceLcl",
        }
    }

    /// The maps whose workers share the elements of the reduction as they share those of such a map.
    #[must_use]
    pub fn sharing(self) -> Option<MapKind> {
        match self {
            ReduceKind::Global => Some(MapKind::Global(0)),
            ReduceKind::Local => Some(MapKind::Local(0)),
            ReduceKind::Unspecified
            | ReduceKind::Sequential
            | ReduceKind::Pipelined
            | ReduceKind::Unrolled
            | ReduceKind::While => None,
        }
    }

    /// The type that the function of a reduction gives, if the accumulator has this one.
    #[must_use]
    pub fn step(self, accumulator: &Type) -> Type {
        match self {
            ReduceKind::While => Type::Tuple(vec![Type::Scalar(ScalarType::Bool), accumulator.clone()]),
            ReduceKind::Unspecified
            | ReduceKind::Sequential
            | ReduceKind::Pipelined
            | ReduceKind::Unrolled
            | ReduceKind::Global
            | ReduceKind::Local => accumulator.clone(),
        }
    }
}

/// An OpenCL memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressSpace {
    /// Visible to all work-items of a device.
    Global,
    /// Shared by the work-items of a group.
    Local,
    /// Of one work-item: registers.
    Private,
}

/// A kernel, typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The item's name, or a fixed one for an inline expression or a closure.
    pub name: String,
    /// The size variables, in order of their first appearance.
    pub sizes: Vec<SizeVariable>,
    /// The element types left open.
    pub type_parameters: Vec<TypeParameter>,
    /// The indices of the element types whose arrays may have any rank. Their innermost dimension is all
    /// dimensions together that the argument has beyond the others; its length is the number of elements of
    /// these.
    pub open_ranks: BTreeSet<usize>,
    /// The parameters, in the order in which the user passes them.
    pub parameters: Vec<Parameter>,
    /// The user functions that the body calls, callees first.
    pub functions: Vec<Function>,
    /// The requirements that were neither proved nor refuted.
    pub obligations: Vec<Obligation>,
    /// The body; its type is the program's result.
    pub body: Arc<Expr>,
    /// The launches of `#[launch(…)]`: none, one for all kernels, or one for each kernel in launch order.
    pub launches: Vec<Launch>,
    /// The way in which it is lowered.
    pub strategy: Strategy,
    /// The strategies of `#[schedule(…)]`, in order, which make a form of it.
    pub schedule: Vec<ScheduleTerm>,
    /// The only backend that it may be compiled for; `None` where the user allows any.
    pub backend: Option<Backend>,
    /// How floats are rounded.
    pub rounding: Rounding,
    /// The sizes that a tuner may choose, each with its choices; the program uses the first.
    pub tunables: Vec<Tunable>,
    /// One past the largest id of a node, a variable, or a size variable: fresh ids start here.
    pub next_id: u32,
}

/// A `#[launch(…)]`. `#[launch(local = (16, 8), global = (N, M))]` fixes sizes, dimension 0 first; missing
/// dimensions are 1. `#[launch(any)]` leaves them to each launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// Work-items per group; `None` leaves them to the compiler.
    pub local: Option<[u64; 3]>,
    /// Work-items in all; `None` leaves them to the compiler.
    pub global: Option<[Nat; 3]>,
    /// Whether the kernel relies on these sizes.
    pub pinning: Pinning,
    /// The source of the attribute.
    pub source: Source,
}

/// Whether a kernel relies on the sizes of its launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pinning {
    /// Yes: most of its loops over work-items become straight code (CGO 2017, section 5.5).
    #[default]
    Pinned,
    /// No: it is correct for any launch.
    Any,
}

impl Program {
    /// The same program with another body, where fresh ids start at `next_id`.
    #[must_use]
    pub fn with_body(&self, body: Arc<Expr>, next_id: u32) -> Program {
        Program {
            name: self.name.clone(),
            sizes: self.sizes.clone(),
            type_parameters: self.type_parameters.clone(),
            open_ranks: self.open_ranks.clone(),
            parameters: self.parameters.clone(),
            functions: self.functions.clone(),
            obligations: self.obligations.clone(),
            body,
            launches: self.launches.clone(),
            strategy: self.strategy,
            schedule: self.schedule.clone(),
            backend: self.backend,
            rounding: self.rounding,
            tunables: self.tunables.clone(),
            next_id,
        }
    }

    /// The launch that the user fixed for the kernel at this position.
    pub fn launch(&self, position: usize) -> Option<&Launch> {
        match self.launches.as_slice() {
            [all] => Some(all),
            each => each.get(position),
        }
    }
}

/// `tune(name, [v1, v2, …])`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tunable {
    /// Its name.
    pub name: String,
    /// The choices, the default first.
    pub values: Vec<u64>,
}

/// A size that is known only when the kernel is launched.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeVariable {
    /// The variable.
    pub variable: Var,
    /// The user's name for it: `N`, or `len(a)`, `len(a, 1)` where it has no name.
    pub name: String,
    /// The smallest value that the program accepts (from its constraints), checked at each call.
    pub minimum: u64,
    /// The formula that a form names like this; `None` where it comes with a call.
    pub value: Option<Nat>,
}

impl SizeVariable {
    /// A size that comes with a call.
    pub fn new(variable: Var, name: String) -> SizeVariable {
        SizeVariable { variable, name, minimum: 0, value: None }
    }

    /// What the names of formulas among some sizes stand for.
    pub(crate) fn formulas(sizes: &[SizeVariable]) -> Substitution {
        let named = sizes.iter().filter_map(|size| Some((size.variable.clone(), size.value.clone()?)));
        named.collect()
    }
}

/// A parameter of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The variable that the body uses. For [`ParameterType::Size`] the body uses the size instead.
    pub variable: Variable,
    /// Its kind and type.
    pub ty: ParameterType,
    /// The source where the user named it.
    pub source: Source,
}

/// The kind of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterType {
    /// A scalar by value or an array in global memory.
    Value(Type),
    /// A `usize` that is one of [`Program::sizes`].
    Size(Var),
}

/// A named user function on scalars, vectors and tuples.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<(Variable, Type)>,
    /// Its body: scalar forms only.
    pub body: Arc<Expr>,
    /// The laws that the user states for it.
    pub laws: Laws,
}

/// A constraint on sizes that is checked at each call.
#[derive(Debug, Clone, PartialEq)]
pub struct Obligation {
    /// What must hold.
    pub requirement: Requirement,
    /// In the user's words: "`split(n)` needs `n` to divide `len(a)`".
    pub text: String,
    /// The primitive that needs it.
    pub source: Source,
}

/// The constraint of an [`Obligation`].
#[derive(Debug, Clone, PartialEq)]
pub enum Requirement {
    /// Both are equal.
    Equal(Nat, Nat),
    /// The first is at most the second.
    AtMost(Nat, Nat),
    /// The first divides the second without remainder.
    Divides(Nat, Nat),
    /// Any other comparison.
    Holds(Condition),
    /// A function is a permutation of the positions below a length.
    Permutation {
        /// The position.
        index: Var,
        /// The position that it is mapped to.
        image: Nat,
        /// The number of positions.
        length: Nat,
    },
}

impl Program {
    /// A program that computes a value from nothing. The ids of its variables are smaller than `next_id`.
    pub fn new(name: &str, body: Arc<Expr>, next_id: u32) -> Program {
        Program {
            name: name.to_owned(),
            sizes: Vec::new(),
            type_parameters: Vec::new(),
            open_ranks: Default::default(),
            parameters: Vec::new(),
            functions: Vec::new(),
            obligations: Vec::new(),
            body,
            launches: Vec::new(),
            strategy: Strategy::Default,
            schedule: Vec::new(),
            backend: None,
            rounding: Rounding::Free,
            tunables: Vec::new(),
            next_id,
        }
    }

    /// What is known about the sizes when a kernel runs: their minimums, and every obligation, which was
    /// checked.
    pub fn ranges(&self) -> Ranges {
        let mut ranges = Ranges::default();
        for size in &self.sizes {
            ranges.declare(&size.variable, Nat::constant(i128::from(size.minimum)), None);
        }
        for obligation in &self.obligations {
            obligation.requirement.assume(&mut ranges);
        }
        ranges
    }
}

/// Whether a formula is a natural number for all values of these sizes.
pub fn is_natural(formula: &Nat, sizes: &[SizeVariable]) -> bool {
    let mut ranges = Ranges::new();
    for size in sizes {
        ranges.declare(&size.variable, Nat::constant(size.minimum.into()), None);
    }
    let smallest = |variable: &Var| {
        let size = sizes.iter().find(|size| &size.variable == variable)?;
        Some(i128::from(size.minimum))
    };
    formula.evaluate(&smallest).is_some() && ranges.is_non_negative(formula) == Some(true)
}
