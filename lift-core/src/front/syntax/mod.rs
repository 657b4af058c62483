//! The untyped program, as parsed: input of type inference.
//!
//! The macro builds these trees from tokens; tests build them from text the same way. Nothing here knows
//! what a name means: `map` is a [`ExprKind::Name`] like any other. Every node carries the [`Source`] of what
//! the user wrote, so that a message can point at the smallest wrong expression.

mod find;
mod place;

pub use place::{Place, SELF};

use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};
use crate::ir::source::Source;

/// A name with its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Identifier {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub source: Source,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub source: Source,
}

/// The forms of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `1`, `2.5`, `true`, with the type of its suffix.
    Literal(Literal, Option<ScalarType>),
    /// A variable, a function, a primitive, a size.
    Name(String),
    /// `f32::MAX`: two names or more.
    Path(Vec<String>),
    /// `[a, b, c]`
    Array(Vec<Expr>),
    /// `f(a, b)`; also `a.f(b)`, which has its receiver as the first argument.
    Call(Box<Expr>, Vec<Expr>, Notation),
    /// `|p, q| body`, or `|i => p, q| body` for a function that knows its position.
    Lambda(Lambda),
    /// `a >> f`
    Pipe(Box<Expr>, Box<Expr>),
    /// `a << b` and `a >> b` in the body of a user function, which bind as Rust's shifts do.
    Shift(Shift, Box<Expr>, Box<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `a.0`
    Component(Box<Expr>, usize),
    /// `a.k`: a field of a value of Rust.
    Field(Box<Expr>, Identifier),
    /// `{ let p = a; let q = b; body }`
    Block(Vec<Binding>, Box<Expr>),
    /// `a as f32`
    Cast(Box<Expr>, TypeExpr),
    /// `-a`, `!a`
    Unary(UnaryOperator, Box<Expr>),
    /// `a + b`
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `if c { a } else { b }`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Something that did not parse; its error is reported already, and nothing more is said about it.
    Error,
}

/// A function without a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Lambda {
    /// The name of the position of the element that it is given.
    pub position: Option<Identifier>,
    /// Its parameters.
    pub parameters: Vec<Pattern>,
    /// Its result.
    pub body: Box<Expr>,
}

/// An operator that shifts bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    /// `<<`
    Left,
    /// `>>`
    Right,
}

impl Shift {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Shift::Left => "<<",
            Shift::Right => ">>",
        }
    }
}

/// How a call is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// `f(a, b)`
    Function,
    /// `a.f(b)`
    Method,
}

/// `let pattern = value;`
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// What is bound.
    pub pattern: Pattern,
    /// To what.
    pub value: Expr,
}

/// The left side of a `let` or a parameter of a lambda.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Where it stands.
    pub source: Source,
}

/// The forms of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub enum PatternKind {
    /// `x`
    Name(String),
    /// `_`
    Wildcard,
    /// `(p, q)`
    Tuple(Vec<Pattern>),
    /// `[p, q]`: an array of as many elements.
    Array(Vec<Pattern>),
    /// `p: T`
    Typed(Box<Pattern>, TypeExpr),
}

/// A type as written.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeExprKind,
    /// Where it stands.
    pub source: Source,
}

/// The forms of a type.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeExprKind {
    /// `f32`, `f32x4`, `size` or a name that means nothing.
    Name(String),
    /// `(A, B)`
    Tuple(Vec<TypeExpr>),
    /// `[A; n]`; `[i => A; n]` when the index has a name. Sizes are ordinary expressions.
    Array {
        /// The name of the position, where the element type may mention it.
        index: Option<Identifier>,
        /// The element type.
        element: Box<TypeExpr>,
        /// The length.
        length: Box<Expr>,
    },
    /// Something that did not parse; its error is reported already.
    Error,
}

/// The names of types that mean a size.
pub const SIZE_NAMES: [&str; 2] = ["size", "usize"];

impl TypeExpr {
    /// Whether it is that of scalars, vectors and tuples of them. A function that takes and gives nothing else is
    /// a user function, and no kernel.
    pub fn is_element(&self) -> bool {
        match &self.kind {
            TypeExprKind::Name(name) => !SIZE_NAMES.contains(&name.as_str()),
            TypeExprKind::Tuple(components) => components.iter().all(TypeExpr::is_element),
            TypeExprKind::Array { .. } => false,
            TypeExprKind::Error => true,
        }
    }
}

/// What one `lift!` holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// An expression whose free variables are Rust variables in scope.
    Inline(Expr),
    /// A kernel value: `|a: [f32; N]| …`.
    Closure(Expr),
    /// Items: kernels, the user functions they call, and constants.
    Items(Items),
}

/// The items of one `lift!`, each kind in the order of the text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Items {
    /// The constants.
    pub constants: Vec<Constant>,
    /// The functions.
    pub functions: Vec<Item>,
}

/// `const NAME: T = value;`
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// Its name.
    pub name: Identifier,
    /// Its declared type.
    pub ty: TypeExpr,
    /// Its value.
    pub value: Expr,
}

/// A function item.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its name.
    pub name: Identifier,
    /// The size parameters: `const N: usize`.
    pub generics: Vec<Identifier>,
    /// The element types that a call decides: `T: Float`.
    pub types: Vec<GenericType>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The declared result type.
    pub result: TypeExpr,
    /// The conditions of the `where` clause, each a comparison of sizes.
    pub conditions: Vec<Expr>,
    /// The attributes that mean something to the compiler (`launch`, `schedule`, `assoc`, …).
    pub attributes: Vec<Attribute>,
    /// The body.
    pub body: Expr,
}

impl Item {
    /// Whether its floats are rounded as the program says, on every device: `#[strict]`.
    pub fn is_strict(&self) -> bool {
        self.attributes.iter().any(|attribute| attribute.name.name == "strict")
    }
}

/// `T: Float`: an element type that a call decides.
#[derive(Debug, Clone, PartialEq)]
pub struct GenericType {
    /// Its name.
    pub name: Identifier,
    /// What it must offer: names or paths of traits.
    pub bounds: Vec<Identifier>,
}

/// A parameter of an item.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: Identifier,
    /// Its type.
    pub ty: TypeExpr,
}

/// `#[name(arguments)]`, where every argument is `key = expression` or an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// The attribute's name.
    pub name: Identifier,
    /// Its arguments with their keys.
    pub arguments: Vec<(Option<Identifier>, Expr)>,
}
