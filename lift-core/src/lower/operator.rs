//! Operators that need not be applied in the order of the program.
//!
//! An operator that is known to be associative may combine what others have combined already; one that is commutative as well may
//! take its operands in any order. Known are the built-in ones and what the user states of a function with `#[assoc]` and `#[comm]`.
//! Sums and products of floats count among them: rounding is the only difference.

use crate::primitive::builtin::Builtin;
use crate::scalar::{BinaryOperator, Literal};
use crate::typed::{Expr, ExprKind, Function, Lambda, Laws, Variable};
use crate::types::Type;

/// An associative operator on values of one type.
pub(super) struct Operator<'e> {
    pub(super) function: &'e Lambda,
    /// What else may be done with it.
    pub(super) laws: Laws,
    /// A value that changes nothing.
    pub(super) identity: Option<Literal>,
}

impl<'e> Operator<'e> {
    /// The operator that a function is; none where it is not known to be associative.
    pub(super) fn of(function: &'e Lambda, functions: &[Function]) -> Option<Operator<'e>> {
        let [(left, left_type), (right, right_type)] = function.parameters.as_slice() else { return None };
        let are_operands = |a: &Expr, b: &Expr| {
            (is_variable(a, left) && is_variable(b, right)) || (is_variable(a, right) && is_variable(b, left))
        };
        let any_order = Laws { associative: true, commutative: true };
        let scalar = |literal| matches!(left_type, Type::Scalar(_)).then_some(literal);
        let (laws, identity) = match &function.body.kind {
            ExprKind::Binary(operator, a, b) if are_operands(a, b) => match operator {
                BinaryOperator::Add => (any_order, scalar(Literal::Integer(0))),
                BinaryOperator::Multiply => (any_order, scalar(Literal::Integer(1))),
                BinaryOperator::And => (any_order, scalar(Literal::Bool(true))),
                BinaryOperator::Or => (any_order, scalar(Literal::Bool(false))),
                BinaryOperator::Subtract
                | BinaryOperator::Divide
                | BinaryOperator::Remainder
                | BinaryOperator::Equal
                | BinaryOperator::NotEqual
                | BinaryOperator::Less
                | BinaryOperator::LessOrEqual
                | BinaryOperator::Greater
                | BinaryOperator::GreaterOrEqual => return None,
            },
            ExprKind::Builtin(Builtin::Min | Builtin::Max, arguments) => match arguments.as_slice() {
                [a, b] if are_operands(a, b) => (any_order, None),
                _ => return None,
            },
            // With its operands exchanged an associative function is associative, too.
            ExprKind::Function(called, arguments) => match (functions.get(*called), arguments.as_slice()) {
                (Some(called), [a, b]) if called.laws.associative && are_operands(a, b) => {
                    (called.laws, None)
                }
                _ => return None,
            },
            _ => return None,
        };
        (left_type == right_type && *left_type == function.body.ty).then_some(Operator {
            function,
            laws,
            identity,
        })
    }

    /// The type of the operands.
    pub(super) fn element(&self) -> &Type {
        &self.function.body.ty
    }

    /// The operator, applied.
    pub(super) fn apply(&self, left: &Expr, right: &Expr) -> Expr {
        let mut applied = self.function.body.as_ref().clone();
        for ((parameter, _), argument) in self.function.parameters.iter().zip([left, right]) {
            applied = applied.replace(parameter, argument);
        }
        applied
    }
}

fn is_variable(expr: &Expr, variable: &Variable) -> bool {
    matches!(&expr.kind, ExprKind::Variable(read) if read.id == variable.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::ScalarType;
    use crate::source::Source;
    use crate::typed::NodeId;

    fn expr(kind: ExprKind) -> Expr {
        Expr { id: NodeId(0), ty: Type::Scalar(ScalarType::I32), source: Source::UNKNOWN, kind }
    }

    /// `|left, right|` applied to `left` and `right`, or to them exchanged.
    fn lambda(exchanged: [usize; 2], apply: impl FnOnce(Expr, Expr) -> ExprKind) -> Lambda {
        let variables = [0, 1].map(|id| Variable { id, name: "operand".into() });
        let [first, second] = exchanged.map(|operand| expr(ExprKind::Variable(variables[operand].clone())));
        let parameters = variables.map(|variable| (variable, Type::Scalar(ScalarType::I32))).to_vec();
        Lambda { parameters, index: None, body: Box::new(expr(apply(first, second))) }
    }

    fn binary(operator: BinaryOperator) -> impl FnOnce(Expr, Expr) -> ExprKind {
        move |left, right| ExprKind::Binary(operator, Box::new(left), Box::new(right))
    }

    fn function(laws: Laws) -> Function {
        let body = expr(ExprKind::Literal(Literal::Integer(0)));
        Function { name: "f".to_owned(), parameters: Vec::new(), body, laws }
    }

    #[test]
    fn sums_may_be_reordered_and_differences_may_not() {
        let sum = lambda([1, 0], binary(BinaryOperator::Add));
        assert!(Operator::of(&sum, &[]).is_some_and(|operator| operator.laws.commutative));
        assert!(Operator::of(&lambda([0, 1], binary(BinaryOperator::Subtract)), &[]).is_none());
        assert!(Operator::of(&lambda([0, 0], binary(BinaryOperator::Add)), &[]).is_none());
    }

    #[test]
    fn a_function_has_the_laws_that_are_stated_of_it() {
        let called = |order| lambda(order, |left, right| ExprKind::Function(0, vec![left, right]));
        let laws = |associative, commutative| Laws { associative, commutative };
        for order in [[0, 1], [1, 0]] {
            let called = called(order);
            let found = |laws| Operator::of(&called, &[function(laws)]).map(|operator| operator.laws);
            assert_eq!(found(laws(true, false)), Some(laws(true, false)));
            assert_eq!(found(laws(true, true)), Some(laws(true, true)));
            assert_eq!(found(laws(false, true)), None);
        }
    }
}
