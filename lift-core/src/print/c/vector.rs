//! Prints vectors in C.
//!
//! A vector in memory lies at the address of its first scalar. Where the ranges of the loops around prove
//! that the address is a multiple of the width, the vector is accessed through a pointer to vectors.
//! Elsewhere it is accessed by `vload` and `vstore`, which take any address of a scalar. The pointer is the
//! buffer's own, and the index counts vectors. Only where that would take a division, the address is that of
//! the first scalar, and shares its parts with the addresses of scalars beside it.
//!
//! There are no vectors of truth values. Comparisons return masks, as OpenCL has them: integers as wide as
//! the operands, whose bits are all set where the comparison holds. Here truth values are masks only where
//! they choose. Everywhere else they are bytes of 0 or 1, as in memory.

use super::dialect::Memory;
use super::expression::{ExpressionPrinter, is_safe_divisor};
use super::helper::{Helper, NumberHelper};
use super::promotion::{has_16_bits, overflows};
use crate::ir::kernel::{BufferId, Expression, UpdateOperator, ValueType};
use crate::ir::nat::Nat;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType, UnaryOperator};
use crate::print::index::IndexPrinter;
use crate::print::text::{Strength, Text};

impl ExpressionPrinter<'_> {
    /// Prints the value at an address.
    pub(super) fn load(&mut self, buffer: BufferId, index: &Nat, ty: ValueType) -> Text {
        if ty.lanes == 1 {
            let place = self.scalar_place(buffer, index);
            return Text::new(place, Strength::Atom);
        }
        if let Some(place) = self.vector_place(buffer, index, ty, "const ") {
            return place;
        }
        let address = self.address(buffer, index);
        Text::new(self.dialect().load(ty.lanes, &address), Strength::Atom)
    }

    /// Prints the statement that stores a value at an address.
    pub(super) fn store(&mut self, buffer: BufferId, index: &Nat, value: &Expression) -> String {
        let ty = value.ty();
        let value = self.expression(value).bare();
        if ty.lanes == 1 {
            return format!("{} = {value};", self.scalar_place(buffer, index));
        }
        match self.vector_place(buffer, index, ty, "") {
            Some(place) => format!("{} = {value};", place.bare()),
            None => {
                let address = self.address(buffer, index);
                format!("{};", self.dialect().store(ty.lanes, &value, &address))
            }
        }
    }

    /// Prints the statement that updates an element.
    pub(super) fn update(
        &mut self,
        buffer: BufferId,
        index: &Nat,
        operator: UpdateOperator,
        value: &Expression,
    ) -> String {
        let value = self.expression(value).bare();
        let place = self.scalar_place(buffer, index);
        format!("{};", self.dialect().update(operator, &format!("&{place}"), &value))
    }

    fn buffer_name(&self, buffer: BufferId) -> String {
        self.module.buffers.get(buffer.0).map_or_else(|| "?".to_string(), |buffer| buffer.name.to_string())
    }

    fn scalar_place(&mut self, buffer: BufferId, index: &Nat) -> String {
        let name = self.buffer_name(buffer);
        let index = self.index.nat(index).bare();
        format!("{name}[{index}]")
    }

    fn address(&mut self, buffer: BufferId, index: &Nat) -> String {
        let name = self.buffer_name(buffer);
        if index.as_constant() == Some(0) {
            return name;
        }
        let index = self.index.nat(index).at(Strength::Sum);
        format!("{name} + {index}")
    }

    /// The element of an array of vectors; `None` where the address is not proved to be that of a vector.
    /// `constant` qualifies global memory that is only read.
    fn vector_place(&mut self, buffer: BufferId, index: &Nat, ty: ValueType, constant: &str) -> Option<Text> {
        let width = Nat::constant(i128::from(ty.lanes));
        let whole = index.substitute(self.index.values);
        if self.index.ranges.divides(&width, &whole) != Some(true) {
            return None;
        }
        // A name for a part of the index cannot be divided.
        let position = match whole == *index {
            true => self.index.ranges.simplify(&index.divide(&width)),
            false => index.divide(&width),
        };
        let memory = Memory::of(&self.module.buffers.get(buffer.0)?.role);
        let constant = if memory == Memory::Global { constant } else { "" };
        let memory = self.dialect().pointer(memory);
        let pointer = format!("({memory}{constant}{}*)", self.dialect().value_type_name(ty));
        if position.divisions() > index.divisions() {
            let address = self.address(buffer, index);
            return Some(Text::new(format!("*{pointer}({address})"), Strength::Unary));
        }
        let (name, position) = (self.buffer_name(buffer), self.index.nat(&position).bare());
        Some(Text::new(format!("({pointer}{name})[{position}]"), Strength::Atom))
    }

    /// `(float4)(x)`
    pub(super) fn broadcast(&mut self, operand: &Expression, lanes: u8) -> Text {
        let ty = ValueType { lanes, ..operand.ty() };
        let operand = self.expression(operand).bare();
        self.vector_of(ty, &operand)
    }

    /// `-x`, `!x`
    pub(super) fn unary_of_vector(&mut self, operator: UnaryOperator, operand: &Expression) -> Text {
        let ValueType { scalar: ty, lanes } = operand.ty();
        match operator {
            UnaryOperator::Not if ty != ScalarType::Bool => {
                let operand = self.expression(operand).at(Strength::Atom);
                Text::new(format!("~{operand}"), Strength::Unary)
            }
            UnaryOperator::Not => {
                let operand = self.expression(operand).at(Strength::Atom);
                let byte = self.dialect().type_name(ScalarType::U8);
                Text::new(format!("{operand} ^ ({byte})1"), Strength::Or)
            }
            UnaryOperator::Negate if is_wrapped_by_helper(ty) => {
                let zero =
                    Expression::Broadcast(Box::new(Expression::Literal(Literal::Integer(0), ty)), lanes);
                let helper = Helper::Arithmetic(BinaryOperator::Subtract, ty);
                self.helper(Helper::Lanes(Box::new(helper), lanes), &[&zero, operand])
            }
            UnaryOperator::Negate => {
                let operand = self.expression(operand).at(Strength::Atom);
                Text::new(format!("-{operand}"), Strength::Unary)
            }
        }
    }

    /// Prints an operator on vectors.
    pub(super) fn binary_of_vectors(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Text {
        let ValueType { scalar: ty, lanes } = left.ty();
        let by_helper = |helper: Helper| Helper::Lanes(Box::new(helper), lanes);
        match operator {
            BinaryOperator::And | BinaryOperator::Or => {
                let symbol = if operator == BinaryOperator::And { "&" } else { "|" };
                let left = self.expression(left).at(Strength::Atom);
                let right = self.expression(right).at(Strength::Atom);
                Text::new(format!("{left} {symbol} {right}"), Strength::Or)
            }
            _ if operator.is_comparison() && matches!(ty, ScalarType::Parameter(_)) => {
                self.helper(Helper::Compare(operator, ty, lanes), &[left, right])
            }
            _ if operator.is_comparison() => {
                let mask = self.operation(operator, left, right).at(Strength::Atom);
                let truth = self.dialect().value_type_name(ValueType { scalar: ScalarType::Bool, lanes });
                Text::new(self.dialect().convert(&truth, &format!("-{mask}")), Strength::Atom)
            }
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply
                if is_wrapped_by_helper(ty) =>
            {
                self.helper(by_helper(Helper::Arithmetic(operator, ty)), &[left, right])
            }
            BinaryOperator::Divide | BinaryOperator::Remainder
                if !ty.is_float() && !is_safe_divisor(right) =>
            {
                self.helper(by_helper(Helper::Arithmetic(operator, ty)), &[left, right])
            }
            BinaryOperator::Remainder if ty.is_float() => self.call("fmod", &[left.clone(), right.clone()]),
            _ => self.operation(operator, left, right),
        }
    }

    /// Prints a built-in on vectors that is written differently than on scalars.
    pub(super) fn builtin_of_vectors(
        &mut self,
        builtin: Builtin,
        ty: ValueType,
        arguments: &[Expression],
    ) -> Option<Text> {
        let ValueType { scalar, lanes } = ty;
        let all: Vec<&Expression> = arguments.iter().collect();
        let number = match builtin {
            Builtin::Min => Some(NumberHelper::Min),
            Builtin::Max => Some(NumberHelper::Max),
            Builtin::Abs => Some(NumberHelper::Abs),
            Builtin::Sign => Some(NumberHelper::Sign),
            _ => None,
        };
        let is_open = matches!(scalar, ScalarType::Parameter(_));
        match (builtin, number) {
            (_, Some(number)) if !scalar.is_float() && (is_open || has_helper(number, scalar)) => {
                let helper = Helper::Lanes(Box::new(Helper::Number(number, scalar)), lanes);
                Some(self.helper(helper, &all))
            }
            (Builtin::Abs, _) if !scalar.is_float() => {
                let magnitude = self.call("abs", arguments).bare();
                let signed = self.dialect().value_type_name(ty);
                Some(Text::new(self.dialect().reinterpret(&signed, &magnitude), Strength::Atom))
            }
            (Builtin::Dot, _) if scalar.is_float() && lanes <= 4 => Some(self.call("dot", arguments)),
            (Builtin::Dot, _) => Some(self.helper(Helper::Dot(scalar, lanes), &all)),
            _ => None,
        }
    }

    /// Prints `as` for every component.
    pub(super) fn cast_vector(&mut self, to: ScalarType, operand: &Expression) -> Text {
        let ValueType { scalar: from, lanes } = operand.ty();
        if from == to {
            return self.expression(operand);
        }
        let target = self.dialect().value_type_name(ValueType { scalar: to, lanes });
        let is_float = from.is_float() || matches!(from, ScalarType::Parameter(_));
        if to.is_integer() && (is_float || (from != ScalarType::Bool && to.bytes() <= from.bytes())) {
            let helper = Helper::Lanes(Box::new(Helper::Cast(from, to)), lanes);
            return self.helper(helper, &[operand]);
        }
        let operand = self.expression(operand).bare();
        Text::new(self.dialect().convert(&target, &operand), Strength::Atom)
    }

    /// Prints a choice of one of two values in every component.
    pub(super) fn choose(
        &mut self,
        condition: &Expression,
        then: &Expression,
        otherwise: &Expression,
    ) -> Text {
        let ValueType { scalar, lanes } = then.ty();
        if let ScalarType::Parameter(_) = scalar {
            return self.helper(Helper::Choose(scalar, lanes), &[condition, then, otherwise]);
        }
        let mask = self.mask(condition, scalar).bare();
        let then = self.expression(then).bare();
        let otherwise = self.expression(otherwise).bare();
        Text::new(format!("select({otherwise}, {then}, {mask})"), Strength::Atom)
    }

    /// Prints truth values as integers as wide as a type, with all bits set where they hold.
    fn mask(&mut self, condition: &Expression, wide: ScalarType) -> Text {
        let lanes = condition.ty().lanes;
        match condition {
            Expression::Binary(operator, left, right)
                if operator.is_comparison() && !matches!(left.ty().scalar, ScalarType::Parameter(_)) =>
            {
                let mask = self.operation(*operator, left, right);
                let compared = left.ty().scalar.bytes();
                if compared == wide.bytes() {
                    return mask;
                }
                let masks = self.dialect().value_type_name(mask_type(wide, lanes));
                Text::new(self.dialect().convert(&masks, &mask.bare()), Strength::Atom)
            }
            Expression::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), left, right) => {
                let symbol = if *operator == BinaryOperator::And { "&" } else { "|" };
                let left = self.mask(left, wide).at(Strength::Atom);
                let right = self.mask(right, wide).at(Strength::Atom);
                Text::new(format!("{left} {symbol} {right}"), Strength::Or)
            }
            Expression::Unary(UnaryOperator::Not, operand) => {
                let operand = self.mask(operand, wide).at(Strength::Atom);
                Text::new(format!("~{operand}"), Strength::Unary)
            }
            _ => {
                let truth = self.expression(condition).bare();
                let masks = self.dialect().value_type_name(mask_type(wide, lanes));
                Text::new(format!("-{}", self.dialect().convert(&masks, &truth)), Strength::Unary)
            }
        }
    }
}

/// Whether a function of integers is a helper where the type is known.
fn has_helper(number: NumberHelper, ty: ScalarType) -> bool {
    match number {
        NumberHelper::Sign | NumberHelper::Least | NumberHelper::Greatest | NumberHelper::Negate => true,
        NumberHelper::Abs => overflows(ty),
        NumberHelper::Min | NumberHelper::Max => false,
    }
}

/// Vectors of integers that are as wide as a type.
fn mask_type(ty: ScalarType, lanes: u8) -> ValueType {
    let scalar = match ty.bytes() {
        1 => ScalarType::I8,
        2 => ScalarType::I16,
        4 => ScalarType::I32,
        _ => ScalarType::I64,
    };
    ValueType { scalar, lanes }
}

/// Whether arithmetic on vectors of this type goes through a helper, so that it wraps.
fn is_wrapped_by_helper(ty: ScalarType) -> bool {
    overflows(ty) || has_16_bits(ty) || ty == ScalarType::I8
}
