//! Operators on positions and sizes.
//!
//! In a program a position is a number like any other: `if r <= i && i - r < 17 { … }`. What an operator says of positions alone is
//! handed to the algebra of sizes, which knows their ranges, so that conditions are decided where they can be, and are knowledge in their
//! branches. A result is a position only where it is proved to fit into its type, for the algebra does not wrap.

use super::generator::Generator;
use crate::ir::kernel::Expression;
use crate::ir::nat::{Condition, Nat};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};

/// Numbers further from 0 are no positions: a formula that has them and positions may not fit into 64 bits.
const LARGEST: i128 = 1 << 61;

impl Generator<'_> {
    /// An operator between operands of one width.
    pub(super) fn binary(&self, operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
        let known = match operator {
            BinaryOperator::And | BinaryOperator::Or => self.connected(operator, &left, &right),
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder => self.position(operator, &left, &right),
            BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual
            | BinaryOperator::Equal
            | BinaryOperator::NotEqual => self.compared(operator, &left, &right),
        };
        known.unwrap_or_else(|| Expression::Binary(operator, Box::new(left), Box::new(right)))
    }

    /// Two conditions of which one is decided, or both are about positions.
    fn connected(
        &self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<Expression> {
        let is_and = operator == BinaryOperator::And;
        for (one, other) in [(left, right), (right, left)] {
            if let Some(truth) = one.as_truth() {
                return Some(if truth == is_and { other.clone() } else { one.clone() });
            }
        }
        let (Expression::Condition(left), Expression::Condition(right)) = (left, right) else { return None };
        let (left, right) = (left.clone(), right.clone());
        // Either holds unless neither does.
        let both = if is_and { left.and(right) } else { left.negate().and(right.negate()).negate() };
        Some(compare(self, &both))
    }

    fn compared(
        &self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<Expression> {
        let (left, right) = match positions(left, right)? {
            // Sizes are below 2^63.
            (left, right, ScalarType::I64 | ScalarType::U64) => (left, right),
            (left, right, ty) if self.fits(&left, ty) && self.fits(&right, ty) => (left, right),
            _ => return None,
        };
        let condition = match operator {
            BinaryOperator::Less => Condition::Less(left, right),
            BinaryOperator::LessOrEqual => Condition::LessOrEqual(left, right),
            BinaryOperator::Greater => Condition::Less(right, left),
            BinaryOperator::GreaterOrEqual => Condition::LessOrEqual(right, left),
            BinaryOperator::Equal => Condition::Equal(left, right),
            BinaryOperator::NotEqual => Condition::Equal(left, right).negate(),
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
            | BinaryOperator::And
            | BinaryOperator::Or => return None,
        };
        Some(compare(self, &condition))
    }

    /// A position computed from others.
    fn position(
        &self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<Expression> {
        let (left, right, ty) = positions(left, right)?;
        // The quotients of the language round towards zero, those of the algebra down.
        let divides = || {
            self.ranges.is_non_negative(&left) == Some(true)
                && self.ranges.is_less(&Nat::zero(), &right) == Some(true)
        };
        let result = match operator {
            BinaryOperator::Add => &left + &right,
            BinaryOperator::Subtract => &left - &right,
            BinaryOperator::Multiply => &left * &right,
            BinaryOperator::Divide if divides() => left.divide(&right),
            BinaryOperator::Remainder if divides() => left.modulo(&right),
            _ => return None,
        };
        self.fits(&result, ty).then(|| Expression::Index(self.ranges.simplify(&result), ty))
    }

    /// The position that an expression is, if it is the same as a number of its type.
    pub(super) fn as_position(&self, expression: &Expression) -> Option<Nat> {
        match expression {
            Expression::Index(position, ty) if self.fits(position, *ty) => Some(position.clone()),
            _ => None,
        }
    }

    /// Whether a position is a number of this type for sure.
    fn fits(&self, position: &Nat, ty: ScalarType) -> bool {
        match (ty.integer_limits(), self.ranges.constant_bounds(position)) {
            (Some((least, greatest)), (Some(low), Some(high))) => least <= low && high <= greatest,
            _ => false,
        }
    }
}

/// Two operands of which one is a position, and the other one, too, or a number; and their type.
fn positions(left: &Expression, right: &Expression) -> Option<(Nat, Nat, ScalarType)> {
    match (left, right) {
        (Expression::Index(left, ty), right) => Some((left.clone(), position(right)?, *ty)),
        (left, Expression::Index(right, ty)) => Some((position(left)?, right.clone(), *ty)),
        _ => None,
    }
}

fn position(expression: &Expression) -> Option<Nat> {
    match expression {
        Expression::Index(index, _) => Some(index.clone()),
        Expression::Literal(Literal::Integer(number), ty) if ty.is_integer() => {
            (-LARGEST..=LARGEST).contains(number).then(|| Nat::constant(*number))
        }
        _ => None,
    }
}

/// A comparison of indices as a truth value, decided where the ranges decide it.
fn compare(generator: &Generator<'_>, condition: &Condition) -> Expression {
    match generator.ranges.decide(condition) {
        Some(truth) => Expression::Literal(Literal::Bool(truth), ScalarType::Bool),
        None => Expression::Condition(generator.ranges.simplify_condition(condition)),
    }
}
