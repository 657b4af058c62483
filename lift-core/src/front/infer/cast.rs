//! Casts: `value as T`.

use std::sync::Arc;

use super::environment::Environment;
use super::error::{Error, GenericMistake, ScalarMistake};
use super::inference::Inference;
use crate::front::syntax::{Expr, TypeExpr};
use crate::ir::scalar::{ScalarClass, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::{self, ExprKind};
use crate::ir::types::Type;

impl<'a> Inference<'a> {
    /// `value as T`
    pub(super) fn cast(
        &mut self,
        value: &'a Expr,
        written: &'a TypeExpr,
        source: Source,
        names: &Environment<'a>,
    ) -> typed::Expr {
        let value = self.value(value, names);
        let target = self.written_type(written, names);
        if self.unknowns.is_mistake(&target) || self.unknowns.is_mistake(&value.ty) {
            return self.mistake(source);
        }
        if let Type::Vector(lane, width) = target {
            return self.cast_vector(value, lane, width, source);
        }
        if let Some(width) = self.width(&value.ty)
            && let Type::Scalar(lane) = target
        {
            let ty = self.known(&value.ty);
            return self.fail(Error::new(source, ScalarMistake::CastOfVector { lane, width, ty }));
        }
        let Type::Scalar(scalar) = target else {
            let target = self.known(&target);
            return self.fail(Error::new(written.source, ScalarMistake::CastTarget { target }));
        };
        let declared = self.unknowns.declared_name(&target).map(ToString::to_string);
        if let Some(name) = &declared
            && let Some(mistake) = self.no_cast_to_declared(name, &target, &value.ty)
        {
            return self.fail(Error::new(source, mistake));
        }
        if value.ty == Type::Size && scalar.is_integer() {
            return typed::Expr { ty: Type::Scalar(scalar), ..value };
        }
        let bool = Type::Scalar(ScalarType::Bool);
        if self.unknowns.outermost(&value.ty) == bool && !scalar.is_float() && declared.is_none() {
            return self.node(ExprKind::Cast(scalar, Arc::new(value)), Type::Scalar(scalar), source);
        }
        if scalar == ScalarType::Bool {
            let ty = self.known(&value.ty);
            return self.fail(Error::new(source, ScalarMistake::CastToTruth { target: bool, ty }));
        }
        if value.ty != Type::Size {
            return match self.number(value, ScalarClass::Number, "as") {
                Some(value) => {
                    self.node(ExprKind::Cast(scalar, Arc::new(value)), Type::Scalar(scalar), source)
                }
                None => self.mistake(source),
            };
        }
        self.node(ExprKind::Cast(scalar, Arc::new(value)), Type::Scalar(scalar), source)
    }

    /// Why a number of one type cannot be converted to a declared type. That has to be a float, unless an
    /// integer is converted: of a float, an integer would be the nearest one that there is, which kernels do
    /// not know of a type that is open.
    fn no_cast_to_declared(&self, name: &str, declared: &Type, ty: &Type) -> Option<GenericMistake> {
        let is_integer = match self.unknowns.outermost(ty) {
            Type::Size => true,
            Type::Scalar(scalar) if scalar.is_integer() || scalar == ScalarType::Bool => true,
            Type::Scalar(_) => self.unknowns.class(ty) == Some(ScalarClass::Integer),
            Type::Vector(..) | Type::Tuple(_) | Type::Array(_) => false,
        };
        let name = name.to_owned();
        match self.unknowns.class(declared) {
            Some(ScalarClass::Any) => Some(GenericMistake::CastToElement { name }),
            Some(ScalarClass::Float) => None,
            Some(ScalarClass::Number | ScalarClass::Integer | ScalarClass::Bits) | None => {
                (!is_integer).then_some(GenericMistake::Cast { name })
            }
        }
    }

    /// `value as f32x4`
    fn cast_vector(
        &mut self,
        value: typed::Expr,
        lane: ScalarType,
        width: u8,
        source: Source,
    ) -> typed::Expr {
        let target = Type::Vector(lane, width);
        if self.width(&value.ty) != Some(width) {
            let ty = self.known(&value.ty);
            return self.fail(Error::new(source, ScalarMistake::CastToVector { lane, width, ty }));
        }
        if lane == ScalarType::Bool {
            let ty = self.known(&value.ty);
            return self.fail(Error::new(source, ScalarMistake::CastToTruth { target, ty }));
        }
        let is_truth = self.lane(&value.ty) == Type::Scalar(ScalarType::Bool);
        if is_truth && !lane.is_float() {
            return self.node(ExprKind::Cast(lane, Arc::new(value)), target, source);
        }
        match self.number(value, ScalarClass::Number, "as") {
            Some(value) => self.node(ExprKind::Cast(lane, Arc::new(value)), target, source),
            None => self.mistake(source),
        }
    }
}
