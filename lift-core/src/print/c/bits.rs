//! Prints functions of integers in C: those on their bits, and powers.
//!
//! OpenCL C takes a shift modulo the width of the promoted operand. So the count is cut here to the width of
//! the type, and to what it is where it is a number. The left shift of a signed number is one of the unsigned
//! number with the same bits. A type that is left open may be any of these, so a helper has its functions.

use super::expression::ExpressionPrinter;
use super::helper::{BitHelper, Helper};
use super::promotion::{cut, is_promoted, wrapping_name};
use crate::ir::kernel::{Expression, ValueType};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::print::text::{Strength, Text};

impl ExpressionPrinter<'_> {
    /// Prints a function of integers; `None` for any other function.
    pub(super) fn bits(&mut self, builtin: Builtin, arguments: &[Expression]) -> Option<Text> {
        let operand = arguments.first()?.ty();
        if let Some(helper) = helper_for(builtin, operand.scalar) {
            let all: Vec<&Expression> = arguments.iter().collect();
            let helper = Helper::Bits(helper, operand.scalar);
            return Some(match operand.lanes {
                1 => self.helper(helper, &all),
                lanes => self.helper(Helper::Lanes(Box::new(helper), lanes), &all),
            });
        }
        match (builtin, arguments) {
            (Builtin::Shl, [number, count]) => Some(self.shifted_left(number, count)),
            (Builtin::Shr, [number, count]) => Some(self.shifted_right(number, count)),
            (Builtin::Rotl, [number, count]) => {
                Some(self.call("rotate", &[number.clone(), cut_count(count)]))
            }
            (Builtin::Rotr, [number, count]) => Some(self.rotated_right(number, count)),
            (Builtin::MulHi, _) => Some(self.call("mul_hi", arguments)),
            (Builtin::Popcount, _) => Some(self.call("popcount", arguments)),
            (Builtin::LeadingZeros, _) => Some(self.call("clz", arguments)),
            (Builtin::ToBits | Builtin::FromBits, [value]) => {
                let result = operand.of(builtin.result(operand.scalar));
                let (result, value) = (self.dialect().value_type_name(result), self.expression(value).bare());
                Some(Text::new(self.dialect().reinterpret(&result, &value), Strength::Atom))
            }
            _ => None,
        }
    }

    fn shifted_left(&mut self, number: &Expression, count: &Expression) -> Text {
        let ValueType { scalar, lanes } = number.ty();
        let count = self.count(count);
        let unsigned = unsigned(scalar);
        if unsigned == scalar && (lanes > 1 || !is_promoted(scalar)) {
            let number = self.expression(number).at(Strength::Unary);
            return Text::new(format!("{number} << {count}"), Strength::Bits);
        }
        if lanes > 1 {
            let (own, other) =
                (self.dialect().vector_name(scalar, lanes), self.dialect().vector_name(unsigned, lanes));
            let number = self.expression(number).bare();
            let shifted = format!("{} << {count}", self.dialect().reinterpret(&other, &number));
            return Text::new(self.dialect().reinterpret(&own, &shifted), Strength::Atom);
        }
        let number = self.expression(number).at(Strength::Unary);
        let wide = wrapping_name(self.dialect(), scalar);
        Text::new(cut(self.dialect(), scalar, &format!("({wide}){number} << {count}")), Strength::Unary)
    }

    fn shifted_right(&mut self, number: &Expression, count: &Expression) -> Text {
        let ty = number.ty();
        let count = self.count(count);
        let number = self.expression(number).at(Strength::Unary);
        self.of_type(ty, Text::new(format!("{number} >> {count}"), Strength::Bits))
    }

    /// A rotation to the left by all other bits.
    fn rotated_right(&mut self, number: &Expression, count: &Expression) -> Text {
        let ty = number.ty();
        let bits = bits_of(ty.scalar);
        if let Some(count) = known_count(count) {
            let rest = Expression::Literal(Literal::Integer((bits - count) % bits), ty.scalar);
            let rest = if ty.lanes > 1 { Expression::Broadcast(Box::new(rest), ty.lanes) } else { rest };
            return self.call("rotate", &[number.clone(), rest]);
        }
        let (number, count) = (self.expression(number).bare(), self.count(count));
        let (bits, ty) = (self.number_of(bits, ty.scalar), self.dialect().value_type_name(ty));
        Text::new(format!("rotate({number}, ({ty})({bits} - {count}))"), Strength::Atom)
    }

    /// The count of a shift, as an operand. Beside a vector, nothing has more bits than an element of it.
    fn count(&mut self, count: &Expression) -> String {
        let ValueType { scalar: ty, lanes } = count.ty();
        if let Some(known) = known_count(count) {
            return match lanes {
                1 => known.to_string(),
                _ => self.number_of(known, ty),
            };
        }
        let mask = bits_of(ty) - 1;
        match count {
            Expression::Broadcast(scalar, _) => {
                let scalar = self.expression(scalar).at(Strength::Unary);
                format!("({})({scalar} & {mask})", self.dialect().type_name(ty))
            }
            _ if lanes > 1 => {
                let mask = self.number_of(mask, ty);
                format!("({} & {mask})", self.expression(count).at(Strength::Unary))
            }
            _ => format!("({} & {mask})", self.expression(count).at(Strength::Unary)),
        }
    }

    /// A number of a type.
    fn number_of(&mut self, number: i128, ty: ScalarType) -> String {
        self.expression(&Expression::Literal(Literal::Integer(number), ty)).at(Strength::Unary)
    }
}

/// The helper that has a function; `None` where C has it.
fn helper_for(builtin: Builtin, ty: ScalarType) -> Option<BitHelper> {
    let is_open = matches!(ty, ScalarType::Parameter(_));
    match builtin {
        Builtin::TrailingZeros => Some(BitHelper::TrailingZeros),
        Builtin::WrappingPow => Some(BitHelper::Power),
        Builtin::Shl if is_open => Some(BitHelper::Shl),
        Builtin::Shr if is_open => Some(BitHelper::Shr),
        Builtin::Rotl if is_open => Some(BitHelper::Rotl),
        Builtin::Rotr if is_open => Some(BitHelper::Rotr),
        _ => None,
    }
}

/// A count that is a number, modulo the width of its type.
fn known_count(count: &Expression) -> Option<i128> {
    match count {
        Expression::Literal(Literal::Integer(count), ty) => Some(count.rem_euclid(bits_of(*ty))),
        Expression::Broadcast(count, _) => known_count(count),
        _ => None,
    }
}

/// A count modulo the width of its type, as a value of this type.
fn cut_count(count: &Expression) -> Expression {
    let ValueType { scalar, lanes } = count.ty();
    let literal = |number| match lanes {
        1 => Expression::Literal(Literal::Integer(number), scalar),
        _ => Expression::Broadcast(Box::new(Expression::Literal(Literal::Integer(number), scalar)), lanes),
    };
    match known_count(count) {
        Some(count) => literal(count),
        None => {
            let mask = literal(bits_of(scalar) - 1);
            Expression::Binary(BinaryOperator::BitAnd, Box::new(count.clone()), Box::new(mask))
        }
    }
}

fn bits_of(ty: ScalarType) -> i128 {
    8 * ty.bytes()
}

/// The unsigned type of the same width.
fn unsigned(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::I8 => ScalarType::U8,
        ScalarType::I16 => ScalarType::U16,
        ScalarType::I32 => ScalarType::U32,
        ScalarType::I64 => ScalarType::U64,
        ScalarType::Bool
        | ScalarType::U8
        | ScalarType::U16
        | ScalarType::U32
        | ScalarType::U64
        | ScalarType::F16
        | ScalarType::F32
        | ScalarType::F64
        | ScalarType::Parameter(_) => ty,
    }
}
