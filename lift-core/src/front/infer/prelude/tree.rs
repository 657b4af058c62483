//! Builds the syntax trees of the prelude. Their nodes have no place in the user's source.

use crate::front::syntax::{
    Binding, Expr, ExprKind, Identifier, Lambda, Notation, Pattern, PatternKind, TypeExpr, TypeExprKind,
};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::source::Source;

/// A function applied to every column of a 2D array.
pub(super) fn columns(function: Expr) -> Expr {
    then([name("transpose"), map(function), name("transpose")])
}

pub(super) fn node(kind: ExprKind) -> Expr {
    Expr { kind, source: Source::UNKNOWN }
}

pub(super) fn name(name: &str) -> Expr {
    node(ExprKind::Name(name.to_owned()))
}

pub(super) fn call<const N: usize>(function: &str, arguments: [Expr; N]) -> Expr {
    node(ExprKind::Call(Box::new(name(function)), arguments.into(), Notation::Function))
}

pub(super) fn integer(number: i128) -> Expr {
    node(ExprKind::Literal(Literal::Integer(number), None))
}

pub(super) fn type_name(name: &str) -> TypeExpr {
    TypeExpr { kind: TypeExprKind::Name(name.to_owned()), source: Source::UNKNOWN }
}

/// `|position => parameter| body`
pub(super) fn at_position(position: &str, parameter: &str, body: Expr) -> Expr {
    let parameters = vec![named(parameter)];
    let position = Some(Identifier { name: position.to_owned(), source: Source::UNKNOWN });
    node(ExprKind::Lambda(Lambda { position, parameters, body: Box::new(body) }))
}

/// `|parameter| body`
pub(super) fn function(parameter: &str, body: Expr) -> Expr {
    lambda([named(parameter)], body)
}

/// `|parameters| body`
pub(super) fn lambda<const N: usize>(parameters: [Pattern; N], body: Expr) -> Expr {
    let parameters = parameters.into();
    node(ExprKind::Lambda(Lambda { position: None, parameters, body: Box::new(body) }))
}

pub(super) fn named(name: &str) -> Pattern {
    pattern(PatternKind::Name(name.to_owned()))
}

pub(super) fn pattern(kind: PatternKind) -> Pattern {
    Pattern { kind, source: Source::UNKNOWN }
}

pub(super) fn map(function: Expr) -> Expr {
    call("map", [function])
}

/// The functions, applied in this order.
pub(super) fn then<const N: usize>(functions: [Expr; N]) -> Expr {
    functions
        .into_iter()
        .reduce(|first, second| node(ExprKind::Pipe(Box::new(first), Box::new(second))))
        .unwrap_or_else(|| name("id"))
}

/// A number of a type.
pub(super) fn typed_integer(number: i128, ty: ScalarType) -> Expr {
    node(ExprKind::Literal(Literal::Integer(number), Some(ty)))
}

/// `left operator right`
pub(super) fn binary(operator: BinaryOperator, left: Expr, right: Expr) -> Expr {
    node(ExprKind::Binary(operator, Box::new(left), Box::new(right)))
}

/// `left + right`
pub(super) fn sum(left: Expr, right: Expr) -> Expr {
    binary(BinaryOperator::Add, left, right)
}

/// `left - right`
pub(super) fn difference(left: Expr, right: Expr) -> Expr {
    binary(BinaryOperator::Subtract, left, right)
}

/// `left * right`
pub(super) fn product(left: Expr, right: Expr) -> Expr {
    binary(BinaryOperator::Multiply, left, right)
}

/// `left == right`
pub(super) fn equal(left: Expr, right: Expr) -> Expr {
    binary(BinaryOperator::Equal, left, right)
}

/// `value as ty`
pub(super) fn cast(value: Expr, ty: &str) -> Expr {
    node(ExprKind::Cast(Box::new(value), type_name(ty)))
}

/// `if condition { then } else { otherwise }`
pub(super) fn choose(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    node(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)))
}

/// `{ let name = value; …; body }`
pub(super) fn block<const N: usize>(bindings: [(&str, Expr); N], body: Expr) -> Expr {
    let bindings = bindings.map(|(name, value)| Binding { pattern: named(name), value });
    node(ExprKind::Block(bindings.into(), Box::new(body)))
}

/// The length of an array with a name.
pub(super) fn length_of(array: &str) -> Expr {
    call("len", [name(array)])
}
