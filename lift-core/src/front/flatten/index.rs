//! Lets a position come from data: sizes that mention it become integers, and positions in arrays are clamped.

use std::sync::Arc;

use super::{Flat, Flattening, RowsMistake, internal};
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::typed::build::Built;
use crate::ir::typed::{Expr, ExprKind, Position};
use crate::ir::types::Type;

/// The type of what is computed of offsets.
pub(super) const OFFSET: ScalarType = ScalarType::I64;

impl Flattening<'_> {
    /// An expression in which a position is this integer of type [`OFFSET`].
    pub(super) fn with_index(&mut self, expr: &Arc<Expr>, index: &Var, value: &Arc<Expr>) -> Flat<Arc<Expr>> {
        let replaced = self.index_replaced(expr, index, value)?;
        match replaced.mentions_index(index) {
            true => Err((expr.source, RowsMistake::Position)),
            false => Ok(replaced),
        }
    }

    fn index_replaced(&mut self, expr: &Arc<Expr>, index: &Var, value: &Arc<Expr>) -> Flat<Arc<Expr>> {
        match &expr.kind {
            ExprKind::Size(size) if size.mentions(index) => {
                let integer = self.size_of_data(expr, size, index, value)?;
                match &expr.ty {
                    Type::Scalar(scalar) if *scalar != OFFSET => {
                        self.built(expr, |build| build.cast(*scalar, integer))
                    }
                    _ => Ok(integer),
                }
            }
            ExprKind::At(Position::Size(size), array) if size.mentions(index) => {
                let place = self.size_of_data(expr, size, index, value)?;
                let array = self.index_replaced(array, index, value)?;
                self.read_at_rows.extend(array.ty.as_array().map(|of| of.length.clone()));
                self.built(expr, |build| build.element(Position::Clamped(place), array))
            }
            _ => self.parts(expr, &mut |this, child| this.index_replaced(child, index, value)),
        }
    }

    /// A size that mentions a position, as an integer, where the position is one.
    fn size_of_data(&mut self, expr: &Expr, size: &Nat, index: &Var, value: &Arc<Expr>) -> Flat<Arc<Expr>> {
        let Some((factor, rest)) = size.linear_in(index) else {
            return Err((expr.source, RowsMistake::Position));
        };
        let mut integer = || -> Built {
            let mut sum = value.clone();
            if factor.as_constant() != Some(1) {
                let factor = self.offset(&factor)?;
                sum = self.build.binary(BinaryOperator::Multiply, factor, sum)?;
            }
            if rest.as_constant() != Some(0) {
                let rest = self.offset(&rest)?;
                sum = self.build.binary(BinaryOperator::Add, sum, rest)?;
            }
            Ok(sum)
        };
        integer().map_err(|mismatch| internal(expr.source, &mismatch))
    }

    /// A size as an integer.
    pub(super) fn offset(&mut self, size: &Nat) -> Built {
        match size.as_constant() {
            Some(number) => self.number(number),
            None => self.build.integer(size.clone(), OFFSET),
        }
    }

    /// A number as an offset.
    pub(super) fn number(&mut self, number: i128) -> Built {
        self.build.literal(Literal::Integer(number), &Type::Scalar(OFFSET))
    }
}
