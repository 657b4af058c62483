//! Operators on positions and sizes.
//!
//! Programs compute with positions as with other numbers: `if r <= i && i - r < 17 { … }`. An operator whose
//! operands are all positions or integers is handed to the algebra of sizes, which knows their ranges. So
//! conditions are decided where possible, and each branch knows its condition. A result is a position only if
//! it is proved to fit into its type, because the algebra does not wrap.

use super::generator::Generator;
use crate::ir::kernel::Expression;
use crate::ir::nat::{Condition, Nat};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};

/// Integers further from 0 are not treated as positions, because a formula with them may not fit into 64
/// bits.
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
            // The algebra knows no bits.
            BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::BitOr => None,
        };
        known.unwrap_or_else(|| Expression::Binary(operator, Box::new(left), Box::new(right)))
    }

    /// `&&` or `||` of two conditions, if one is decided or both compare positions.
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
        // `a || b` is `!(!a && !b)`.
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
            | BinaryOperator::BitAnd
            | BinaryOperator::BitXor
            | BinaryOperator::BitOr
            | BinaryOperator::And
            | BinaryOperator::Or => return None,
        };
        Some(compare(self, &condition))
    }

    /// The result of an arithmetic operator on positions.
    fn position(
        &self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<Expression> {
        let (left, right, ty) = positions(left, right)?;
        // Division rounds towards zero in the language, and down in the algebra.
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

    /// The position that is the value of an expression, if it fits into the expression's type.
    pub(super) fn as_position(&self, expression: &Expression) -> Option<Nat> {
        match expression {
            Expression::Index(position, ty) if self.fits(position, *ty) => Some(position.clone()),
            _ => None,
        }
    }

    /// The minimum or maximum of two positions, at least one of them from data.
    pub(super) fn extreme_position(&self, builtin: Builtin, arguments: &[Expression]) -> Option<Expression> {
        let [left, right] = arguments else { return None };
        let (left, right, ty) = positions(left, right).filter(|(_, _, ty)| *ty == ScalarType::I64)?;
        // Sizes are below 2^63.
        let fits = |position: &Nat| self.is_of_sizes(position) || self.fits(position, ty);
        if !self.is_from_data(&left) && !self.is_from_data(&right) || !fits(&left) || !fits(&right) {
            return None;
        }
        let extreme = match builtin {
            Builtin::Min => Nat::min(&left, &right),
            Builtin::Max => Nat::max(&left, &right),
            _ => return None,
        };
        Some(Expression::Index(self.ranges.simplify(&extreme), ty))
    }

    /// Whether a position certainly fits into a type.
    fn fits(&self, position: &Nat, ty: ScalarType) -> bool {
        match (ty.integer_limits(), self.ranges.constant_bounds(position)) {
            (Some((least, greatest)), (Some(low), Some(high))) => least <= low && high <= greatest,
            _ => ty == ScalarType::I64 && self.is_within_a_size(position),
        }
    }

    /// Whether a position depends on data that the algebra knows as a position.
    pub(super) fn is_from_data(&self, position: &Nat) -> bool {
        self.positions_from_data.iter().any(|from_data| position.mentions(from_data))
    }

    /// Whether a position that depends on data is at most a few times as far from 0 as a size, and a little
    /// more. Sizes are below 2^63, and those of arrays that exist far below that. (It is not asked of other
    /// positions, as it takes long to answer.)
    fn is_within_a_size(&self, position: &Nat) -> bool {
        if !self.is_from_data(position) {
            return false;
        }
        let Some(largest) = self.ranges.upper_bound(position) else { return false };
        largest.variables().into_iter().any(|variable| {
            let size = Nat::variable(&variable);
            let few = Nat::constant(4) * &size + Nat::constant(1 << 20);
            self.is_of_sizes(&size)
                && [size, few].iter().any(|most| {
                    self.ranges.proves_at_most(position, most)
                        && self.ranges.proves_at_most(&(Nat::zero() - most), position)
                })
        })
    }
}

/// Two operands as positions, and their type. One must be a position, and the other one a position or an
/// integer.
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

/// A condition on indices as a truth value: a literal if the ranges decide it.
fn compare(generator: &Generator<'_>, condition: &Condition) -> Expression {
    match generator.ranges.decide(condition) {
        Some(truth) => Expression::Literal(Literal::Bool(truth), ScalarType::Bool),
        None => Expression::Condition(generator.ranges.simplify_condition(condition)),
    }
}
