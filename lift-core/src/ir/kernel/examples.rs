//! Pieces of code for the tests of passes.

use super::{Expression, Loop, Order, Statement, Trip, Unrolling, Variable, Workers};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::scalar::{BinaryOperator, ScalarType};
use crate::ir::source::Source;

pub(crate) fn variable(name: &str) -> Variable {
    Variable { name: name.into(), ty: ScalarType::F32.into() }
}

pub(crate) fn read(name: &str) -> Expression {
    Expression::Variable(variable(name))
}

pub(crate) fn assign(name: &str, value: Expression) -> Statement {
    Statement::Assign(variable(name), value)
}

pub(crate) fn declare(name: &str, value: Option<Expression>) -> Statement {
    Statement::Declare(variable(name), value)
}

pub(crate) fn sum(left: &str, right: &str) -> Expression {
    Expression::Binary(BinaryOperator::Add, Box::new(read(left)), Box::new(read(right)))
}

pub(crate) fn first_rows() -> Expression {
    let row = Nat::variable(&Var::new(1, "row"));
    Expression::Condition(Condition::Less(row, Nat::constant(17)))
}

/// A loop whose iterations one work-item does in order.
pub(crate) fn in_order(index: &Var, extent: Nat, body: Vec<Statement>) -> Statement {
    Statement::Loop(Loop {
        workers: Workers::Sequential,
        index: index.clone(),
        extent,
        trip: Trip::Any,
        unrolling: Unrolling::AsItLikes,
        order: Order::Stated,
        origin: "mapSeq".to_owned(),
        source: Source::UNKNOWN,
        body,
    })
}
