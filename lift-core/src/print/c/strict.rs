//! What the C of strict programs has in another form: functions and operators whose results devices choose.
//!
//! - Of two zeros, `fmin` and `fmax` give either. Helpers of the text take -0.0 for smaller.
//! - `dot` rounds as it likes. A helper adds the products in order.
//! - Quotients and square roots of half precision have an error (OpenCL 1.2, extension `cl_khr_fp16`, section
//!   9.5.11). Those of single precision have enough digits that rounding them again gives the exact ones
//!   rounded. That these are exact is what the launcher asks of the compiler of the device.
//! - `0 - x` is no `-x` for a zero of a type that is left open.

use super::expression::ExpressionPrinter;
use super::helper::{Helper, NumberHelper};
use crate::ir::kernel::{Expression, ValueType};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, ScalarType, UnaryOperator};
use crate::ir::typed::Rounding;
use crate::print::text::{Strength, Text};

impl ExpressionPrinter<'_> {
    /// A built-in function in the form that a strict program needs; `None` where any form will do.
    pub(super) fn strict_builtin(
        &mut self,
        builtin: Builtin,
        of: ValueType,
        arguments: &[Expression],
    ) -> Option<Text> {
        if self.module.rounding == Rounding::Free || !of.scalar.may_be_float() {
            return None;
        }
        let number = |number| by_lanes(Helper::Number(number, of.scalar), of.lanes);
        let helper = match builtin {
            Builtin::Min => number(NumberHelper::Least),
            Builtin::Max => number(NumberHelper::Greatest),
            Builtin::Dot if of.lanes > 1 && of.scalar.is_float() => Helper::DotInOrder(of.scalar, of.lanes),
            Builtin::Sqrt if of.scalar == ScalarType::F16 => {
                let single = self.as_single(arguments.first()?);
                return Some(self.rounded_to_half(of, &format!("sqrt({single})")));
            }
            _ => return None,
        };
        Some(self.helper(helper, &arguments.iter().collect::<Vec<_>>()))
    }

    /// An operator in the form that a strict program needs; `None` where any form will do.
    pub(super) fn strict_binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<Text> {
        let is_of_halves = operator == BinaryOperator::Divide && left.ty().scalar == ScalarType::F16;
        if self.module.rounding == Rounding::Free || !is_of_halves {
            return None;
        }
        let quotient = format!("{} / {}", self.as_single(left), self.as_single(right));
        Some(self.rounded_to_half(left.ty(), &quotient))
    }

    /// An operator of one operand, likewise.
    pub(super) fn strict_unary(&mut self, operator: UnaryOperator, operand: &Expression) -> Option<Text> {
        let ValueType { scalar, lanes } = operand.ty();
        let is_open = matches!(scalar, ScalarType::Parameter(_)) && scalar.may_be_float();
        if self.module.rounding == Rounding::Free || operator != UnaryOperator::Negate || !is_open {
            return None;
        }
        Some(self.helper(by_lanes(Helper::Number(NumberHelper::Negate, scalar), lanes), &[operand]))
    }

    fn as_single(&mut self, half: &Expression) -> String {
        let single = self.dialect().value_type_name(half.ty().of(ScalarType::F32));
        let half = self.expression(half).bare();
        self.dialect().convert(&single, &half)
    }

    fn rounded_to_half(&mut self, half: ValueType, single: &str) -> Text {
        let half = self.dialect().value_type_name(half);
        Text::new(self.dialect().convert(&half, single), Strength::Atom)
    }
}

fn by_lanes(helper: Helper, lanes: u8) -> Helper {
    if lanes > 1 { Helper::Lanes(Box::new(helper), lanes) } else { helper }
}
