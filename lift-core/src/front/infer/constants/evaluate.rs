//! The value of a constant: scalar forms without variables, computed with Rust's rules for constants.
//!
//! Floats are computed in double precision and rounded after each operation. A double has more than twice the
//! digits of the smaller types, so that this is the same as computing in them.

use std::collections::BTreeMap;

use crate::front::infer::error::ConstantMistake;
use crate::front::syntax::Shift;
use crate::ir::half_precision::round_to_half;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::typed::{Expr, ExprKind, Variable};
use crate::ir::types::Type;

/// The value of a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer or a size.
    Integer(i128),
    /// A float, which its type holds exactly.
    Float(f64),
}

/// A mistake and its place.
type Fault = (Source, ConstantMistake);

/// The value of an expression with all types decided.
pub(super) fn evaluate(expr: &Expr) -> Result<Value, Fault> {
    Evaluator::default().value(expr)
}

#[derive(Default)]
struct Evaluator {
    /// What the `let`s so far have bound.
    bound: BTreeMap<Variable, Value>,
}

impl Evaluator {
    fn value(&mut self, expr: &Expr) -> Result<Value, Fault> {
        let no_constant = || (expr.source, ConstantMistake::Form);
        match &expr.kind {
            ExprKind::Literal(literal) => literal_value(literal, scalar(expr)?).ok_or_else(no_constant),
            ExprKind::Size(size) => {
                let number = size.as_constant().ok_or_else(no_constant)?;
                match scalar(expr) {
                    Ok(ty) => checked(number, ty, expr),
                    Err(_) => Ok(Value::Integer(number)),
                }
            }
            ExprKind::Variable(variable) => self.bound.get(variable).copied().ok_or_else(no_constant),
            ExprKind::Let { bindings, body } => {
                for binding in bindings {
                    let value = self.value(&binding.value)?;
                    self.bound.insert(binding.variable.clone(), value);
                }
                self.value(body)
            }
            ExprKind::Unary(operator, operand) => {
                let value = self.value(operand)?;
                unary(*operator, value, expr)
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                binary(*operator, left, right, expr)
            }
            ExprKind::Cast(to, operand) => {
                let value = self.value(operand)?;
                cast(value, *to).ok_or_else(no_constant)
            }
            ExprKind::Builtin(builtin, arguments) => match (builtin, arguments.as_slice()) {
                (Builtin::Shl, [number, count]) => self.shifted(Shift::Left, number, count, expr),
                (Builtin::Shr, [number, count]) => self.shifted(Shift::Right, number, count, expr),
                _ => Err(no_constant()),
            },
            ExprKind::If(condition, then, otherwise) => match self.value(condition)? {
                Value::Bool(true) => self.value(then),
                Value::Bool(false) => self.value(otherwise),
                Value::Integer(_) | Value::Float(_) => Err(no_constant()),
            },
            _ => Err(no_constant()),
        }
    }

    fn shifted(&mut self, shift: Shift, number: &Expr, count: &Expr, expr: &Expr) -> Result<Value, Fault> {
        let (number, ty) = (self.value(number)?, scalar(expr)?);
        // The count may have another type than the number, as in Rust. Its conversion must not hide how large
        // it is; it stands where the count stands.
        let written = match &count.kind {
            ExprKind::Cast(_, inner) if inner.source == count.source => inner,
            _ => count,
        };
        match (number, self.value(written)?, bits(ty)) {
            (Value::Integer(number), Value::Integer(by), Some(bits)) => {
                let shifted = shifted(shift, number, by, (&ty.to_string(), bits));
                shifted.map(|number| wrapped(number, ty)).map_err(|mistake| (count.source, mistake))
            }
            _ => Err((expr.source, ConstantMistake::Form)),
        }
    }
}

/// `number << count`, `number >> count` for an integer of so many bits; the name of its type is for the
/// message. The result of `<<` may have more bits
/// than the type, which are lost in Rust. To shift by as many bits as there are is an overflow there.
pub(super) fn shifted(
    shift: Shift,
    number: i128,
    count: i128,
    (ty, bits): (&str, u32),
) -> Result<i128, ConstantMistake> {
    match u32::try_from(count) {
        Ok(places) if places < bits => Ok(match shift {
            Shift::Left => number << places,
            Shift::Right => number >> places,
        }),
        Ok(_) | Err(_) => Err(ConstantMistake::Shift { count, ty: ty.to_owned(), bits }),
    }
}

/// How many bits an integer of a type has.
fn bits(ty: ScalarType) -> Option<u32> {
    ty.integer_limits().map(|(least, greatest)| (greatest - least).count_ones())
}

/// The scalar type of an expression.
fn scalar(expr: &Expr) -> Result<ScalarType, Fault> {
    match &expr.ty {
        Type::Scalar(scalar) => Ok(*scalar),
        Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => {
            Err((expr.source, ConstantMistake::Form))
        }
    }
}

fn literal_value(literal: &Literal, ty: ScalarType) -> Option<Value> {
    Some(match literal {
        Literal::Bool(truth) => Value::Bool(*truth),
        Literal::Integer(number) if ty.is_float() => Value::Float(float_of_integer(*number, ty)),
        Literal::Integer(number) => Value::Integer(*number),
        // The digits are rounded once, to the type.
        Literal::Float(digits) if ty == ScalarType::F32 => Value::Float(digits.parse::<f32>().ok()?.into()),
        Literal::Float(digits) => Value::Float(rounded(digits.parse().ok()?, ty)),
    })
}

/// An integer that its type must hold.
fn checked(number: i128, ty: ScalarType, expr: &Expr) -> Result<Value, Fault> {
    match ty.integer_limits() {
        Some((least, greatest)) if number < least || number > greatest => {
            Err((expr.source, ConstantMistake::Overflow { ty, number }))
        }
        Some(_) => Ok(Value::Integer(number)),
        None => Ok(Value::Float(float_of_integer(number, ty))),
    }
}

fn unary(operator: UnaryOperator, value: Value, expr: &Expr) -> Result<Value, Fault> {
    match (operator, value) {
        (UnaryOperator::Negate, Value::Integer(number)) => checked(-number, scalar(expr)?, expr),
        (UnaryOperator::Negate, Value::Float(number)) => Ok(Value::Float(-number)),
        (UnaryOperator::Not, Value::Bool(truth)) => Ok(Value::Bool(!truth)),
        (UnaryOperator::Not, Value::Integer(number)) => Ok(wrapped(!number, scalar(expr)?)),
        (UnaryOperator::Negate, Value::Bool(_)) | (UnaryOperator::Not, Value::Float(_)) => {
            Err((expr.source, ConstantMistake::Form))
        }
    }
}

fn binary(operator: BinaryOperator, left: Value, right: Value, expr: &Expr) -> Result<Value, Fault> {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => {
            if let Some(truth) = compare(operator, &left, &right) {
                return Ok(Value::Bool(truth));
            }
            let ty = scalar(expr)?;
            match operator {
                BinaryOperator::Add => checked(left + right, ty, expr),
                BinaryOperator::Subtract => checked(left - right, ty, expr),
                BinaryOperator::Multiply => checked(left.saturating_mul(right), ty, expr),
                BinaryOperator::Divide | BinaryOperator::Remainder if right == 0 => {
                    Err((expr.source, ConstantMistake::DivisionByZero))
                }
                BinaryOperator::Divide => checked(left / right, ty, expr),
                BinaryOperator::Remainder => checked(left % right, ty, expr),
                BinaryOperator::BitAnd => Ok(Value::Integer(left & right)),
                BinaryOperator::BitXor => Ok(Value::Integer(left ^ right)),
                BinaryOperator::BitOr => Ok(Value::Integer(left | right)),
                _ => Err((expr.source, ConstantMistake::Form)),
            }
        }
        (Value::Float(left), Value::Float(right)) => {
            if let Some(truth) = compare(operator, &left, &right) {
                return Ok(Value::Bool(truth));
            }
            let value = match operator {
                BinaryOperator::Add => left + right,
                BinaryOperator::Subtract => left - right,
                BinaryOperator::Multiply => left * right,
                BinaryOperator::Divide => left / right,
                BinaryOperator::Remainder => left % right,
                _ => return Err((expr.source, ConstantMistake::Form)),
            };
            Ok(Value::Float(rounded(value, scalar(expr)?)))
        }
        (Value::Bool(left), Value::Bool(right)) => match operator {
            BinaryOperator::And | BinaryOperator::BitAnd => Ok(Value::Bool(left && right)),
            BinaryOperator::Or | BinaryOperator::BitOr => Ok(Value::Bool(left || right)),
            BinaryOperator::BitXor => Ok(Value::Bool(left != right)),
            _ => match compare(operator, &left, &right) {
                Some(truth) => Ok(Value::Bool(truth)),
                None => Err((expr.source, ConstantMistake::Form)),
            },
        },
        (Value::Bool(_) | Value::Integer(_) | Value::Float(_), _) => {
            Err((expr.source, ConstantMistake::Form))
        }
    }
}

/// The value of a comparison; `None` for any other operator.
fn compare<T: PartialOrd>(operator: BinaryOperator, left: &T, right: &T) -> Option<bool> {
    match operator {
        BinaryOperator::Equal => Some(left == right),
        BinaryOperator::NotEqual => Some(left != right),
        BinaryOperator::Less => Some(left < right),
        BinaryOperator::LessOrEqual => Some(left <= right),
        BinaryOperator::Greater => Some(left > right),
        BinaryOperator::GreaterOrEqual => Some(left >= right),
        _ => None,
    }
}

/// `value as ty`. An `f64` as an `i128` is rounded towards zero and saturates, as it does for the smaller
/// integers.
fn cast(value: Value, ty: ScalarType) -> Option<Value> {
    Some(match (value, ty.integer_limits()) {
        (Value::Bool(truth), _) if ty == ScalarType::Bool => Value::Bool(truth),
        (_, _) if ty == ScalarType::Bool => return None,
        (Value::Bool(truth), Some(_)) => Value::Integer(truth.into()),
        (Value::Bool(truth), None) => Value::Float(f64::from(u8::from(truth))),
        (Value::Integer(number), Some(_)) => wrapped(number, ty),
        (Value::Integer(number), None) => Value::Float(float_of_integer(number, ty)),
        (Value::Float(number), Some((least, greatest))) => {
            Value::Integer((number as i128).clamp(least, greatest))
        }
        (Value::Float(number), None) => Value::Float(rounded(number, ty)),
    })
}

/// The bits of an integer that its type has.
fn wrapped(number: i128, ty: ScalarType) -> Value {
    Value::Integer(match ty.integer_limits() {
        Some((least, greatest)) => (number - least).rem_euclid(greatest - least + 1) + least,
        None => number,
    })
}

/// An integer as a float, rounded once.
fn float_of_integer(number: i128, ty: ScalarType) -> f64 {
    match ty {
        ScalarType::F32 => f64::from(number as f32),
        _ => rounded(number as f64, ty),
    }
}

/// The nearest number of a type of floats.
fn rounded(number: f64, ty: ScalarType) -> f64 {
    match ty {
        ScalarType::F16 => f64::from(round_to_half(number)),
        ScalarType::F32 => f64::from(number as f32),
        _ => number,
    }
}
