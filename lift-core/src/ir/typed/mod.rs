//! The typed program: output of type inference, input of every later stage.
//!
//! Inference also elaborates, so that later stages see few forms:
//! - every primitive is saturated; a partial application or a composition has become a [`Lambda`];
//! - functions stand only where a primitive takes one; `let`-bound and user functions on arrays are inlined,
//!   with their arguments bound by [`ExprKind::Let`] so that nothing is computed twice;
//! - patterns have become [`ExprKind::Component`]s of one variable;
//! - `>>` is gone, `id` is its argument, built-in operators are [`ExprKind::Binary`] or [`ExprKind::Builtin`];
//! - literals have a type; a number used where a vector is expected is broadcast explicitly;
//! - sizes are [`Nat`]s, decided or listed in [`Program::obligations`].
//!
//! Trees are never changed in place: a stage makes a new tree or a table keyed by [`NodeId`] (annotations on shared
//! nodes were the largest source of faults in earlier implementations).

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::ir::nat::{Condition, Nat, Ranges, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, TypeParameter, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::types::Type;

mod children;
mod directive;
pub mod layout;
mod substitute;

pub use directive::{Backend, Laws, Strategy};
pub use layout::{Boundary, IndexFunction, IndexFunctionKind, Layout, Rows};

/// Names a node in tables of analyses; unique within one [`Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A variable bound by a parameter, a lambda or a `let`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable {
    /// Unique within one program.
    pub id: u32,
    /// The user's name for it, for the kernel text and messages.
    pub name: Rc<str>,
}

/// A typed expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Its key in tables.
    pub id: NodeId,
    /// Its type.
    pub ty: Type,
    /// Where the user wrote it.
    pub source: Source,
    /// What it is.
    pub kind: ExprKind,
}

/// A variable of a `let`, and what it is bound to.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The variable.
    pub variable: Variable,
    /// Its value.
    pub value: Expr,
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
    Tuple(Vec<Expr>),
    /// `a.k`
    Component(Box<Expr>, usize),
    /// `[a, b, c]`: a small constant array.
    ArrayLiteral(Vec<Expr>),
    /// `{ let variable = value; …; body }`: each value is computed at most once. A list and no nest, so that a tree is no higher for many
    /// of them; [`ExprKind::bound`] makes it.
    Let {
        /// What is bound, in order: a value may mention the variables before it.
        bindings: Vec<Binding>,
        /// Where; it is no `Let` itself.
        body: Box<Expr>,
    },
    /// An operator on a scalar or, element by element, on a vector.
    Unary(UnaryOperator, Box<Expr>),
    /// An operator on two scalars or vectors of one type; comparisons give `bool`, of vectors one per component.
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// A built-in scalar function, saturated.
    Builtin(Builtin, Vec<Expr>),
    /// A named user function on scalars, vectors and tuples: [`Program::functions`] at this position.
    Function(usize, Vec<Expr>),
    /// `if condition { then } else { otherwise }`; only the taken branch is evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a as T`, with Rust's meaning (saturating from float to integer); of a vector, component by component.
    Cast(ScalarType, Box<Expr>),
    /// A scalar in every component of a vector.
    Broadcast(Box<Expr>),
    /// `vectorize(n, f)(a, b)`: a function on scalars, applied to vectors of one width component by component.
    Lanewise(Lambda, Vec<Expr>),
    /// A map, at some level of the thread hierarchy.
    Map(MapKind, Lambda, Box<Expr>),
    /// A reduction; the lambda takes the accumulator and an element.
    Reduce(ReduceKind, Lambda, Box<Expr>, Box<Expr>),
    /// `zip(a, b, …)`: an array of tuples.
    Zip(Vec<Expr>),
    /// A primitive that only says where elements are.
    Layout(Layout, Box<Expr>),
    /// `padConstant(left, right, value, input)`
    PadConstant {
        /// Elements added before the first.
        left: Nat,
        /// Elements added after the last.
        right: Nat,
        /// The added element.
        value: Box<Expr>,
        /// The array.
        input: Box<Expr>,
    },
    /// `toGlobal(f)(x)` and the like, as `f(x)` stored in a memory; `store(xs)`, for which the compiler chooses one.
    Store(Option<AddressSpace>, Box<Expr>),
    /// `concat(a, b)`: one array after the other; two or more.
    Concat(Vec<Expr>),
    /// One element of an array.
    At(Position, Box<Expr>),
    /// `generate(length, f)`: the lambda has no parameters, its `index` is the position. Never stored for itself.
    Generate(Nat, Lambda),
    /// `repeat(length, value)`
    Repeat(Nat, Box<Expr>),
    /// `unzip(xs)`: a tuple of arrays from an array of tuples.
    Unzip(Box<Expr>),
    /// All prefixes of a reduction.
    Scan(ScanKind, Lambda, Box<Expr>, Box<Expr>),
    /// `iterate(count, f, xs)`: `f` applied again and again. The lambda's `index` is the number of applications so
    /// far; the types of its parameter and its body mention it, in closed form.
    Iterate(Nat, Lambda, Box<Expr>),
}

/// Which element [`ExprKind::At`] takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Position {
    /// The one at a size; it lies inside the array, proved or obliged.
    Size(Nat),
    /// The one at an integer computed from data, clamped into the array.
    Clamped(Box<Expr>),
    /// The one at an integer computed from data; a default where that lies outside the array.
    OrDefault(Box<Expr>, Box<Expr>),
}

/// Which prefixes a scan reduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScanKind {
    /// Those before each element, from the initial value; left to the compiler who computes them.
    Exclusive,
    /// The same, in order, by one work-item.
    ExclusiveSequential,
    /// Those that end with each element. There is no initial value: the first element is the first result, and the initial
    /// value of the node is never used but for its type.
    Inclusive,
}

/// A function that a primitive applies. Its parameters are variables with types; its result is `body.ty`.
#[derive(Debug, Clone, PartialEq)]
pub struct Lambda {
    /// The parameters.
    pub parameters: Vec<(Variable, Type)>,
    /// The position or step that types and sizes of the body mention: of a map or a reduction over a position-dependent
    /// array, of [`ExprKind::Generate`] and of [`ExprKind::Iterate`].
    pub index: Option<Var>,
    /// The body.
    pub body: Box<Expr>,
}

/// Who computes the elements of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MapKind {
    /// Left to the compiler.
    Unspecified,
    /// One work-item, in a loop.
    Sequential,
    /// One work-item, in straight-line code.
    Unrolled,
    /// One work-item, in a loop over windows, of which it keeps the elements that the next window shares.
    Sliding,
    /// Global work-items of a dimension.
    Global(u8),
    /// Work-groups of a dimension.
    WorkGroup(u8),
    /// Work-items of a group, in a dimension.
    Local(u8),
}

/// How a reduction is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReduceKind {
    /// Left to the compiler.
    Unspecified,
    /// In order, by one work-item.
    Sequential,
    /// The same, with the loads of a step before the computation of the step before it.
    Pipelined,
    /// The same, in straight-line code.
    Unrolled,
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
    /// The element types, by index, of arrays of any rank: their innermost dimension stands for all dimensions that the
    /// argument has beyond the others, and is as long as these have elements.
    pub open_ranks: BTreeSet<usize>,
    /// The parameters, in the order in which the user passes them.
    pub parameters: Vec<Parameter>,
    /// The user functions that the body calls, callees first.
    pub functions: Vec<Function>,
    /// What must hold and was neither proved nor refuted.
    pub obligations: Vec<Obligation>,
    /// The body; its type is the program's result.
    pub body: Expr,
    /// What `#[launch(…)]` says of launches: nothing, one for all kernels, or one for each kernel in launch order.
    pub launches: Vec<Launch>,
    /// How it is lowered.
    pub strategy: Strategy,
    /// The only backend that it may be compiled for; any where the user restricts nothing.
    pub backend: Option<Backend>,
    /// The sizes that a tuner may choose, each with its choices; the program uses the first.
    pub tunables: Vec<Tunable>,
    /// One past the largest id used by a node, a variable, or a size variable: where fresh ones start.
    pub next_id: u32,
}

/// What a `#[launch(…)]` says: `#[launch(local = (16, 8), global = (N, M))]` fixes sizes, dimension 0 first, of which missing
/// dimensions are 1; `#[launch(any)]` leaves them to each launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// Work-items per group; the compiler chooses where it is not stated.
    pub local: Option<[u64; 3]>,
    /// Work-items in all; the compiler chooses where it is not stated.
    pub global: Option<[Nat; 3]>,
    /// Whether the kernel relies on these sizes.
    pub pinning: Pinning,
    /// Where the user said so.
    pub source: Source,
}

/// Whether a kernel relies on the sizes of its launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pinning {
    /// It does: most of its loops over work-items become straight code (CGO 2017, section 5.5).
    #[default]
    Pinned,
    /// It is right for any launch.
    Any,
}

impl Program {
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

/// A size that is known only at a launch.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeVariable {
    /// The variable.
    pub variable: Var,
    /// As the user knows it: `N`, or `len(a)`, `len(a, 1)` where it has no name.
    pub name: String,
    /// The smallest value that the program accepts (from its constraints), checked at the launch.
    pub minimum: u64,
}

/// A parameter of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The variable that the body uses. For [`ParameterType::Size`] the body uses the size instead.
    pub variable: Variable,
    /// What it is.
    pub ty: ParameterType,
    /// Where the user named it.
    pub source: Source,
}

/// What a parameter is.
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
    pub body: Expr,
    /// What the user states of it.
    pub laws: Laws,
}

/// A constraint on sizes that is left to the launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Obligation {
    /// What must hold.
    pub requirement: Requirement,
    /// In the user's words: "`split(n)` needs `n` to divide `len(a)`".
    pub text: String,
    /// The primitive that needs it.
    pub source: Source,
}

/// What an [`Obligation`] asks.
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
    /// A function maps the positions below a length onto themselves, no two to one place.
    Permutation {
        /// The position.
        index: Var,
        /// Where it goes.
        image: Nat,
        /// How many positions there are.
        length: Nat,
    },
}

impl Expr {
    /// The expressions directly inside this one, lambda bodies included, in order of evaluation.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Size(_) => Vec::new(),
            ExprKind::Tuple(parts)
            | ExprKind::ArrayLiteral(parts)
            | ExprKind::Zip(parts)
            | ExprKind::Builtin(_, parts)
            | ExprKind::Function(_, parts) => parts.iter().collect(),
            ExprKind::Component(input, _)
            | ExprKind::Unary(_, input)
            | ExprKind::Cast(_, input)
            | ExprKind::Broadcast(input)
            | ExprKind::Layout(_, input)
            | ExprKind::Store(_, input) => vec![input],
            ExprKind::Lanewise(function, arguments) => {
                arguments.iter().chain([function.body.as_ref()]).collect()
            }
            ExprKind::Let { bindings, body } => {
                bindings.iter().map(|binding| &binding.value).chain([body.as_ref()]).collect()
            }
            ExprKind::Binary(_, left, right) => vec![left, right],
            ExprKind::If(condition, then, otherwise) => vec![condition, then, otherwise],
            ExprKind::Map(_, function, input) => vec![input, &function.body],
            ExprKind::Reduce(_, function, initial, input) => vec![input, initial, &function.body],
            ExprKind::PadConstant { value, input, .. } => vec![value, input],
            ExprKind::Concat(parts) => parts.iter().collect(),
            ExprKind::At(position, input) => match position {
                Position::Size(_) => vec![input],
                Position::Clamped(index) => vec![index, input],
                Position::OrDefault(index, default) => vec![index, default, input],
            },
            ExprKind::Generate(_, function) => vec![&function.body],
            ExprKind::Repeat(_, value) | ExprKind::Unzip(value) => vec![value],
            ExprKind::Scan(_, function, initial, input) => vec![input, initial, &function.body],
            ExprKind::Iterate(_, function, input) => vec![input, &function.body],
        }
    }
}

impl Program {
    /// What is known of the sizes when a kernel runs: their minimums, and every obligation, which was checked.
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

/// Whether a formula is a natural number for all values that these sizes may have.
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

impl Requirement {
    /// Adds this requirement to what is known.
    pub fn assume(&self, ranges: &mut Ranges) {
        match self {
            Requirement::Equal(left, right) => ranges.assume(&Condition::Equal(left.clone(), right.clone())),
            Requirement::AtMost(left, right) => {
                ranges.assume(&Condition::LessOrEqual(left.clone(), right.clone()))
            }
            Requirement::Divides(divisor, number) => ranges.assume_divides(divisor, number),
            Requirement::Holds(condition) => ranges.assume(condition),
            // That it stays inside is a requirement of its own; sizes follow from nothing else.
            Requirement::Permutation { .. } => {}
        }
    }
}
