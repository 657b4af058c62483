//! Shifts of sizes and operators on their bits, where the numbers are known: most sizes are formulas, which have
//! no bits.

use super::evaluate::{Value, evaluate, shifted};
use crate::front::infer::environment::{Binding, Environment};
use crate::front::infer::error::{Error, SizeMistake};
use crate::front::infer::inference::Inference;
use crate::front::syntax::{Expr, ExprKind, Shift};
use crate::ir::nat::Nat;
use crate::ir::scalar::{BinaryOperator, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed;
use crate::ir::types::Type;

/// The bits of a `usize`: sizes are numbers of 64 bits on every machine.
const BITS_OF_SIZES: u32 = 64;

impl<'a> Inference<'a> {
    /// The value of an integer that is computed from literals and constants, and whose type is known.
    pub(in crate::front::infer) fn known_integer(&mut self, value: &typed::Expr) -> Option<i128> {
        let outermost = self.unknowns.outermost(&value.ty);
        if matches!(outermost, Type::Scalar(ScalarType::Parameter(_))) {
            return None;
        }
        match evaluate(&typed::Expr { ty: outermost, ..value.clone() }) {
            Ok(Value::Integer(number)) => Some(number),
            Ok(Value::Bool(_) | Value::Float(_)) | Err(_) => None,
        }
    }

    /// `left << right`, `left >> right`, where both are known numbers. `None` after a mistake.
    pub(in crate::front::infer) fn shifted_size(
        &mut self,
        shift: Shift,
        (left, right): (&'a Expr, &'a Expr),
        source: Source,
        names: &Environment<'a>,
    ) -> Option<Nat> {
        let (number, count) = (self.size(left, names), self.count_of_shift(right, names));
        let (number, count) = (self.simplified(&number?), self.simplified(&count?));
        let (Some(number), Some(count)) = (number.as_constant(), count.as_constant()) else {
            self.report(Error::new(source, SizeMistake::Bits(shift.symbol())));
            return None;
        };
        match shifted(shift, number, count, ("usize", BITS_OF_SIZES)) {
            Ok(number) => Some(Nat::constant(number)),
            Err(mistake) => {
                self.report(Error::new(right.source, mistake));
                None
            }
        }
    }

    /// How far a size is shifted: by a size, or by a constant of any type of integers.
    fn count_of_shift(&mut self, count: &'a Expr, names: &Environment<'a>) -> Option<Nat> {
        if let ExprKind::Name(name) = &count.kind
            && let Some(Binding::Constant(value)) = names.get(name)
            && let Ok(Value::Integer(number)) = evaluate(value)
        {
            return Some(Nat::constant(number));
        }
        self.size(count, names)
    }
}

/// Whether something at the right of `>>` is a number, and no function.
pub(in crate::front::infer) fn is_count(count: &Expr, names: &Environment<'_>) -> bool {
    match &count.kind {
        ExprKind::Literal(..)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Shift(..)
        | ExprKind::Block(..)
        | ExprKind::If(..) => true,
        ExprKind::Name(name) => {
            matches!(names.get(name), Some(Binding::Size(_) | Binding::Constant(_) | Binding::Value(..)))
        }
        _ => false,
    }
}

/// `left & right`, `left | right`, `left ^ right`; `None` unless both are natural numbers that are known.
pub(in crate::front::infer) fn bits_of_sizes(
    operator: BinaryOperator,
    left: &Nat,
    right: &Nat,
) -> Option<Nat> {
    let natural = |size: &Nat| size.as_constant().filter(|number| *number >= 0);
    let (left, right) = (natural(left)?, natural(right)?);
    Some(Nat::constant(match operator {
        BinaryOperator::BitAnd => left & right,
        BinaryOperator::BitXor => left ^ right,
        BinaryOperator::BitOr => left | right,
        _ => return None,
    }))
}
