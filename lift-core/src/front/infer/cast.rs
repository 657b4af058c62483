//! Casts: `value as T`.

use std::rc::Rc;

use super::environment::Environment;
use super::error::{Error, ScalarMistake};
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
        if value.ty == Type::Size && scalar.is_integer() {
            return typed::Expr { ty: Type::Scalar(scalar), ..value };
        }
        let bool = Type::Scalar(ScalarType::Bool);
        if self.unknowns.outermost(&value.ty) == bool && !scalar.is_float() {
            return self.node(ExprKind::Cast(scalar, Rc::new(value)), Type::Scalar(scalar), source);
        }
        if scalar == ScalarType::Bool {
            let ty = self.known(&value.ty);
            return self.fail(Error::new(source, ScalarMistake::CastToTruth { target: bool, ty }));
        }
        if value.ty != Type::Size {
            return match self.number(value, ScalarClass::Number, "as") {
                Some(value) => {
                    self.node(ExprKind::Cast(scalar, Rc::new(value)), Type::Scalar(scalar), source)
                }
                None => self.mistake(source),
            };
        }
        self.node(ExprKind::Cast(scalar, Rc::new(value)), Type::Scalar(scalar), source)
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
            return self.node(ExprKind::Cast(lane, Rc::new(value)), target, source);
        }
        match self.number(value, ScalarClass::Number, "as") {
            Some(value) => self.node(ExprKind::Cast(lane, Rc::new(value)), target, source),
            None => self.mistake(source),
        }
    }
}
