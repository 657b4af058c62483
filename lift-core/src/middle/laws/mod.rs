//! Laws of operators: which need not be applied in program order.
//!
//! An associative operator may combine partial results; one that is also commutative may take its operands in
//! any order. These laws are known of built-in operators, and of functions for which the user states them
//! with `#[assoc]` and `#[comm]`. Sums and products of floats count as associative, because only rounding
//! differs, except in a strict program: there, no law is known of an operator that rounds, nor of a function
//! on floats, of which a user can hardly state it to the last bit. Minima and maxima do not round.
//!
//! - [`Axioms`] are what laws are derived from;
//! - [`Operator::of`] knows these, and tuples of them: what scans are divided by, whose elements are single
//!   values;
//! - `derived` has the laws that follow from them for functions that combine larger values part by part: what
//!   reductions are divided by;
//! - [`Start`] is what a part of a reduction may start from: an identity, or the value before;
//! - [`Accumulation`] separates what a reduction does with each element from how it combines the results.

mod accumulation;
mod derived;
mod start;

pub(super) use accumulation::Accumulation;
pub(super) use start::{Identity, Start};

use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, ExprKind, Function, Lambda, Laws, Position, Program, Rounding, Variable};
use crate::ir::types::Type;

/// From what laws of operators are derived.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axioms<'p> {
    /// The user functions, with the laws that are stated of them.
    pub(super) functions: &'p [Function],
    /// Whether rounding may differ.
    pub(super) rounding: Rounding,
}

impl<'p> Axioms<'p> {
    /// Those of a program.
    pub(super) fn of(program: &'p Program) -> Axioms<'p> {
        Axioms { functions: &program.functions, rounding: program.rounding }
    }

    /// Those of the program in which a rule builds something.
    pub(super) fn of_place(build: &Build<'p>) -> Axioms<'p> {
        Axioms { functions: build.functions(), rounding: build.rounding() }
    }
}

/// An associative operator on values of one type.
pub(super) struct Operator<'e> {
    pub(super) function: &'e Lambda,
    /// Its laws.
    pub(super) laws: Laws,
    /// A value that changes nothing.
    pub(super) identity: Option<Identity>,
    /// What each part of a reduction may start from.
    pub(super) start: Option<Start>,
}

/// What is known about an operator on one part of the operands.
struct Known {
    laws: Laws,
    start: Option<Start>,
}

impl Known {
    /// An operator on values whose parts have these operators.
    fn of_parts(parts: Vec<Known>, put_together: fn(Vec<Start>) -> Start) -> Known {
        let commutative = parts.iter().all(|part| part.laws.commutative);
        let starts: Option<Vec<Start>> = parts.into_iter().map(|part| part.start).collect();
        Known { laws: Laws { associative: true, commutative }, start: starts.map(put_together) }
    }

    fn operator(self, function: &Lambda) -> Operator<'_> {
        let identity = self.start.as_ref().and_then(Start::identity).cloned();
        Operator { function, laws: self.laws, identity, start: self.start }
    }
}

impl<'e> Operator<'e> {
    /// The operator of a function. `None` if the function is not known to be associative.
    pub(super) fn of(function: &'e Lambda, axioms: Axioms<'_>) -> Option<Operator<'e>> {
        let [(left, left_type), (right, right_type)] = function.parameters.as_slice() else { return None };
        if left_type != right_type || *left_type != function.body.ty {
            return None;
        }
        let known = known(&function.body, &Operands::new(left, right), axioms)?;
        Some(known.operator(function))
    }

    /// The type of the operands.
    pub(super) fn element(&self) -> &Type {
        &self.function.body.ty
    }
}

/// Where a part of a value lies in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A component of a tuple.
    Component(usize),
    /// An element of a small array.
    Element(usize),
}

/// A part of a variable.
struct Operand<'e> {
    variable: &'e Variable,
    /// The path to the part, outermost position first; empty for the variable itself.
    path: Vec<Part>,
}

impl Operand<'_> {
    fn is(&self, expr: &Expr) -> bool {
        is_part(expr, self.variable, &self.path)
    }

    fn part(&self, part: Part) -> Self {
        let path = self.path.iter().copied().chain([part]).collect();
        Operand { variable: self.variable, path }
    }
}

/// The same part of both operands of a function.
struct Operands<'e> {
    left: Operand<'e>,
    right: Operand<'e>,
}

impl<'e> Operands<'e> {
    /// The parameters of a function of two.
    fn new(left: &'e Variable, right: &'e Variable) -> Operands<'e> {
        let operand = |variable| Operand { variable, path: Vec::new() };
        Operands { left: operand(left), right: operand(right) }
    }

    /// Whether two expressions are the operands, in either order.
    fn are(&self, a: &Expr, b: &Expr) -> bool {
        (self.left.is(a) && self.right.is(b)) || (self.left.is(b) && self.right.is(a))
    }

    fn part(&self, part: Part) -> Operands<'e> {
        Operands { left: self.left.part(part), right: self.right.part(part) }
    }
}

/// What is known about a function's body. `None` if it is not known to be associative. A tuple is associative
/// if each component is, and is computed from the same component of the operands.
fn known(body: &Expr, operands: &Operands<'_>, axioms: Axioms<'_>) -> Option<Known> {
    let any_order = Laws { associative: true, commutative: true };
    let starts = |start| Some(Known { laws: any_order, start });
    let known_as = |literal| {
        let is_scalar = matches!(body.ty, Type::Scalar(_));
        starts(is_scalar.then_some(Start::Identity(Identity::Literal(literal))))
    };
    match &body.kind {
        ExprKind::Binary(operator, a, b) if operands.are(a, b) => match operator {
            BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::BitOr => {
                let identity =
                    matches!(body.ty, Type::Scalar(_)).then(|| identity_of_bits(*operator, &body.ty));
                let may_repeat = *operator != BinaryOperator::BitXor;
                let start = identity.flatten().map(|literal| Start::Identity(Identity::Literal(literal)));
                starts(start.or(may_repeat.then_some(Start::Before)))
            }
            BinaryOperator::Add | BinaryOperator::Multiply if axioms.rounding.keeps_order_of(&body.ty) => {
                None
            }
            BinaryOperator::Add => known_as(Literal::Integer(0)),
            BinaryOperator::Multiply => known_as(Literal::Integer(1)),
            BinaryOperator::And => known_as(Literal::Bool(true)),
            BinaryOperator::Or => known_as(Literal::Bool(false)),
            BinaryOperator::Subtract
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
            | BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual => None,
        },
        ExprKind::Builtin(Builtin::Min | Builtin::Max, arguments) => match arguments.as_slice() {
            [a, b] if operands.are(a, b) => starts(Some(Start::Before)),
            _ => None,
        },
        // An associative function with exchanged operands is associative, too.
        ExprKind::Function(..) if axioms.rounding.keeps_order_of(&body.ty) => None,
        ExprKind::Function(called, arguments) => {
            match (axioms.functions.get(*called), arguments.as_slice()) {
                (Some(called), [a, b]) if called.laws.associative && operands.are(a, b) => {
                    Some(Known { laws: called.laws, start: None })
                }
                _ => None,
            }
        }
        ExprKind::Tuple(parts) => {
            let components = parts.iter().enumerate();
            let components = components
                .map(|(position, part)| known(part, &operands.part(Part::Component(position)), axioms))
                .collect::<Option<Vec<Known>>>()?;
            Some(Known::of_parts(components, Start::of_tuple))
        }
        _ => None,
    }
}

/// The value whose bits change no other value, or the components of such a vector. `None` for a conjunction
/// of a type that is left open: how many bits are set is known only at the call.
fn identity_of_bits(operator: BinaryOperator, ty: &Type) -> Option<Literal> {
    let (Type::Scalar(scalar) | Type::Vector(scalar, _)) = ty else { return None };
    let all_set = operator == BinaryOperator::BitAnd;
    match scalar {
        ScalarType::Bool => Some(Literal::Bool(all_set)),
        _ if !all_set => Some(Literal::Integer(0)),
        _ => scalar
            .integer_limits()
            .map(|(least, greatest)| Literal::Integer(if least < 0 { -1 } else { greatest })),
    }
}

/// Whether an expression is this part of a variable.
fn is_part(expr: &Expr, variable: &Variable, path: &[Part]) -> bool {
    match (&expr.kind, path) {
        (ExprKind::Variable(read), []) => read.id == variable.id,
        (ExprKind::Component(input, position), [outer @ .., Part::Component(last)]) => {
            position == last && is_part(input, variable, outer)
        }
        (ExprKind::At(Position::Size(position), input), [outer @ .., Part::Element(last)]) => {
            position.as_constant() == Some(*last as i128) && is_part(input, variable, outer)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ir::scalar::{ScalarClass, TypeParameter};
    use crate::ir::source::Source;
    use crate::ir::typed::NodeId;

    const FREE: Axioms<'static> = Axioms { functions: &[], rounding: Rounding::Free };

    fn expr(kind: ExprKind) -> Arc<Expr> {
        let ty = Type::Scalar(ScalarType::I32);
        Arc::new(Expr { id: NodeId(0), ty, source: Source::UNKNOWN, kind })
    }

    /// `|left, right|` applied to `left` and `right`, or to them exchanged.
    fn lambda(exchanged: [usize; 2], apply: impl FnOnce(Arc<Expr>, Arc<Expr>) -> ExprKind) -> Lambda {
        let variables = [0, 1].map(|id| Variable { id, name: "operand".into() });
        let [first, second] = exchanged.map(|operand| expr(ExprKind::Variable(variables[operand].clone())));
        let parameters = variables.map(|variable| (variable, Type::Scalar(ScalarType::I32))).to_vec();
        Lambda { parameters, index: None, body: expr(apply(first, second)) }
    }

    /// The same function of values of another type.
    fn of_type(ty: &Type, function: Lambda) -> Lambda {
        let parameters = function.parameters.into_iter().map(|(variable, _)| (variable, ty.clone()));
        let body = Arc::new(Expr { ty: ty.clone(), ..function.body.as_ref().clone() });
        Lambda { parameters: parameters.collect(), index: None, body }
    }

    fn binary(operator: BinaryOperator) -> impl FnOnce(Arc<Expr>, Arc<Expr>) -> ExprKind {
        move |left, right| ExprKind::Binary(operator, left, right)
    }

    fn function(laws: Laws) -> Function {
        let body = expr(ExprKind::Literal(Literal::Integer(0)));
        Function { name: "f".to_owned(), parameters: Vec::new(), body, laws }
    }

    #[test]
    fn sums_may_be_reordered_and_differences_may_not() {
        let sum = lambda([1, 0], binary(BinaryOperator::Add));
        assert!(Operator::of(&sum, FREE).is_some_and(|operator| operator.laws.commutative));
        assert!(Operator::of(&lambda([0, 1], binary(BinaryOperator::Subtract)), FREE).is_none());
        assert!(Operator::of(&lambda([0, 0], binary(BinaryOperator::Add)), FREE).is_none());
    }

    #[test]
    fn no_law_is_known_of_what_rounds_in_a_strict_program() {
        let laws = Laws { associative: true, commutative: true };
        let axioms = Axioms { functions: &[function(laws)], rounding: Rounding::Strict };
        let is_known = |ty: &Type, apply: fn(Arc<Expr>, Arc<Expr>) -> ExprKind| {
            Operator::of(&of_type(ty, lambda([0, 1], apply)), axioms).is_some()
        };
        let sum = |a, b| ExprKind::Binary(BinaryOperator::Add, a, b);
        let product = |a, b| ExprKind::Binary(BinaryOperator::Multiply, a, b);
        let least = |a, b| ExprKind::Builtin(Builtin::Min, vec![a, b]);
        let stated = |a, b| ExprKind::Function(0, vec![a, b]);
        let vector = Type::Vector(ScalarType::F64, 2);
        let open = TypeParameter { index: 0, class: ScalarClass::Number };
        for ty in [Type::Scalar(ScalarType::F32), vector, Type::Scalar(ScalarType::Parameter(open))] {
            let known = [is_known(&ty, sum), is_known(&ty, product), is_known(&ty, stated)];
            assert_eq!((known, is_known(&ty, least)), ([false; 3], true), "{ty}");
        }
        let integer = Type::Scalar(ScalarType::I64);
        assert!(is_known(&integer, sum) && is_known(&integer, product) && is_known(&integer, stated));
    }

    #[test]
    fn operators_on_bits_may_be_reordered_and_start_from_their_identities() {
        use BinaryOperator::{BitAnd, BitOr, BitXor};
        let identity = |operator, scalar| identity_of_bits(operator, &Type::Scalar(scalar));
        let number = |number| Some(Literal::Integer(number));
        assert_eq!(identity(BitAnd, ScalarType::I16), number(-1));
        assert_eq!(identity(BitAnd, ScalarType::U16), number(65535));
        assert_eq!(identity(BitOr, ScalarType::I64), number(0));
        assert_eq!(identity(BitXor, ScalarType::U8), number(0));
        assert_eq!(identity(BitAnd, ScalarType::Bool), Some(Literal::Bool(true)));
        assert_eq!(identity(BitXor, ScalarType::Bool), Some(Literal::Bool(false)));
        for operator in [BitAnd, BitOr, BitXor] {
            let combined = lambda([1, 0], binary(operator));
            assert!(Operator::of(&combined, FREE).is_some_and(|operator| operator.laws.commutative));
        }
    }

    #[test]
    fn a_function_has_the_laws_that_are_stated_of_it() {
        let called = |order| lambda(order, |left, right| ExprKind::Function(0, vec![left, right]));
        let laws = |associative, commutative| Laws { associative, commutative };
        for order in [[0, 1], [1, 0]] {
            let called = called(order);
            let found = |laws| {
                let axioms = Axioms { functions: &[function(laws)], ..FREE };
                Operator::of(&called, axioms).map(|operator| operator.laws)
            };
            assert_eq!(found(laws(true, false)), Some(laws(true, false)));
            assert_eq!(found(laws(true, true)), Some(laws(true, true)));
            assert_eq!(found(laws(false, true)), None);
        }
    }
}
