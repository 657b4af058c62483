//! Built-in functions of numbers, truth values and vectors.

use super::error::{Error, Place, ScalarMistake};
use super::inference::{Inference, shared};
use super::need::Reason;
use super::unknowns::Unknowns;
use crate::ir::nat::Nat;
use crate::ir::primitive::builtin::{Builtin, Native};
use crate::ir::scalar::{ScalarClass, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::result::{Purpose, scalar};
use crate::ir::typed::{self, ExprKind};
use crate::ir::types::Type;

impl Inference<'_> {
    /// A built-in function with all its arguments.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        values: Vec<typed::Expr>,
        source: Source,
    ) -> typed::Expr {
        self.builtin_as(builtin, builtin.name(), values, source)
    }

    /// A built-in function that is written in this way.
    pub(super) fn builtin_as(
        &mut self,
        builtin: Builtin,
        name: &'static str,
        values: Vec<typed::Expr>,
        source: Source,
    ) -> typed::Expr {
        if let Some(size) = self.size_function(builtin, &values) {
            return match self.has_value(builtin, &values, source) {
                Some(()) => self.size_value(size, source),
                None => self.mistake(source),
            };
        }
        let builtin = self.of_integers(builtin, &values);
        let class = scalar::class_of_builtin(builtin);
        let mut values = values;
        let exponent = match builtin.exponent() {
            Some(ty) => match values.pop().and_then(|value| self.exponent(value, ty, name)) {
                None => return self.mistake(source),
                exponent => exponent,
            },
            None => None,
        };
        let mut values = values.into_iter();
        let condition = match builtin {
            Builtin::Select => {
                values.next().map(|condition| self.truth(condition, Place::Condition("select")))
            }
            _ => None,
        };
        let mut values: Vec<typed::Expr> = values.collect();
        let no_vector = values.iter().all(|value| self.width(&value.ty).is_none());
        if builtin == Builtin::Dot
            && (no_vector || values.iter().any(|value| self.unknowns.resolve(&value.ty).rank() > 0))
        {
            if let Some(error) = values.iter().find_map(|value| self.no_vector_for_dot(value)) {
                self.report(error);
            }
            return self.mistake(source);
        }
        let beside = condition.as_ref().or(exponent.as_ref());
        if let Some(width) = beside.and_then(|value| self.width(&value.ty)) {
            values = self.broadcast_all(values, width);
        }
        let Some(mut operands) = self.operands(values, class, name, source) else {
            return self.mistake(source);
        };
        if let (Builtin::Native(native), Some(first)) = (builtin, operands.first())
            && let Some(error) = self.no_single(native, name, first)
        {
            return self.fail(error);
        }
        if let (Some(allowed), Some(first)) = (scalar::types_with_bits(builtin.domain()), operands.first())
            && let Some(error) = self.no_bits(allowed, name, first)
        {
            return self.fail(error);
        }
        if let Some(condition) = &condition
            && let Some(first) = operands.first()
            && self.different_widths(&condition.ty, &first.ty)
        {
            let (condition, chosen) = (self.known(&condition.ty), self.known(&first.ty));
            return self.fail(Error::new(source, ScalarMistake::SelectedWidth { condition, chosen }));
        }
        let ty = operands.first().map_or_else(Unknowns::mistake, |operand| operand.ty.clone());
        let ty = scalar::of_builtin(builtin, &self.unknowns.outermost(&ty));
        if let Some(condition) = condition {
            operands.insert(0, condition);
        }
        if let Some(exponent) = exponent {
            let Some(exponent) = self.beside_number(exponent, &operands, name, source) else {
                return self.mistake(source);
            };
            operands.push(exponent);
        }
        self.node(ExprKind::Builtin(builtin, shared(operands)), ty, source)
    }

    /// The function that a name means for numbers of this type: `pow` has another one for integers.
    fn of_integers(&self, builtin: Builtin, values: &[typed::Expr]) -> Builtin {
        let Some(Type::Scalar(lane)) = values.first().map(|base| self.lane(&base.ty)) else { return builtin };
        let is_integer = lane.integer_limits().is_some()
            || self.unknowns.class(&Type::Scalar(lane)) == Some(ScalarClass::Integer);
        match builtin {
            Builtin::Pow if is_integer => Builtin::WrappingPow,
            _ => builtin,
        }
    }

    /// An exponent, which has a type of its own. `None` after a mistake.
    fn exponent(
        &mut self,
        value: typed::Expr,
        wanted: ScalarType,
        name: &'static str,
    ) -> Option<typed::Expr> {
        if self.unknowns.is_mistake(&value.ty) {
            return None;
        }
        let value = self.size_as_integer(value, &Type::Scalar(wanted));
        let lane = self.lane(&value.ty);
        if self.unify(&lane, &Type::Scalar(wanted), name, value.source).is_ok() {
            return Some(value);
        }
        let ty = self.known(&value.ty);
        self.report(Error::new(value.source, ScalarMistake::Exponent { name, wanted, ty }));
        None
    }

    /// An exponent as wide as the number beside it. `None` after a mistake.
    fn beside_number(
        &mut self,
        exponent: typed::Expr,
        numbers: &[typed::Expr],
        name: &'static str,
        source: Source,
    ) -> Option<typed::Expr> {
        let number = numbers.first()?;
        let lane = self.lane(&exponent.ty);
        let width = self.width(&number.ty);
        let exponent = self.broadcast_beside(exponent, &lane, width);
        if self.different_widths(&number.ty, &exponent.ty) {
            let (number, exponent) = (self.known(&number.ty), self.known(&exponent.ty));
            self.report(Error::new(source, ScalarMistake::ExponentWidth { name, number, exponent }));
            return None;
        }
        Some(exponent)
    }

    /// What is wrong with the operand of a function that devices have for `f32` only. An open type becomes
    /// `f32`.
    fn no_single(&mut self, native: Native, name: &'static str, operand: &typed::Expr) -> Option<Error> {
        let (lane, single) = (self.lane(&operand.ty), Type::Scalar(ScalarType::F32));
        self.unify(&lane, &single, name, operand.source).err()?;
        let ty = self.known(&operand.ty);
        Some(Error::new(operand.source, ScalarMistake::SingleOnly { native, name, ty }))
    }

    /// What is wrong with the operand of a function between floats and their bits. An open type becomes the
    /// first of those that it takes.
    fn no_bits(
        &mut self,
        takes: [ScalarType; 2],
        name: &'static str,
        operand: &typed::Expr,
    ) -> Option<Error> {
        let lane = self.lane(&operand.ty);
        if let Type::Scalar(known) = self.unknowns.outermost(&lane)
            && takes.contains(&known)
        {
            return None;
        }
        self.unify(&lane, &Type::Scalar(takes[0]), name, operand.source).err()?;
        let ty = self.known(&operand.ty);
        Some(Error::new(operand.source, ScalarMistake::NoBits { name, takes, ty }))
    }

    /// A function of sizes and numbers is a size, if the algebra has the function.
    fn size_function(&self, builtin: Builtin, values: &[typed::Expr]) -> Option<Nat> {
        if values.iter().all(|value| value.ty != Type::Size) {
            return None;
        }
        let sizes: Vec<Nat> = values.iter().map(|value| self.constant_size(value)).collect::<Option<_>>()?;
        match (builtin, sizes.as_slice()) {
            (Builtin::Min, [left, right]) => Some(left.min(right)),
            (Builtin::Max, [left, right]) => Some(left.max(right)),
            (Builtin::Pow, [base, exponent]) => Some(base.pow(exponent)),
            (Builtin::Log2, [size]) => Some(size.log2()),
            _ => None,
        }
    }

    /// Demands that a function of sizes has a value. `None` where it never has, which is reported.
    fn has_value(&mut self, builtin: Builtin, values: &[typed::Expr], source: Source) -> Option<()> {
        let Some(last) = values.last().and_then(|value| self.constant_size(value)) else { return Some(()) };
        match builtin {
            Builtin::Pow => {
                self.not_negative(&last, Reason::Primitive(Purpose::NotNegative), builtin.name(), source)
            }
            Builtin::Log2 => self.positive(&last, &format!("log2({last})"), source),
            _ => Some(()),
        }
    }
}
