//! Rust's shifts, in the bodies of user functions.
//!
//! There, `<<` and `>>` bind as in Rust. Elsewhere `>>` applies functions and binds weakest, and no number is
//! shifted by an operator.

use super::environment::{Elaborated, Environment};
use super::inference::Inference;
use super::pipe::origin;
use crate::front::syntax::{Expr, Shift};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed;
use crate::ir::types::Type;

impl<'a> Inference<'a> {
    /// `left << right`, `left >> right`. Where a function stands at the right of `>>`, it is applied.
    pub(super) fn shift(
        &mut self,
        shift: Shift,
        left: &'a Expr,
        right: &'a Expr,
        source: Source,
        names: &Environment<'a>,
    ) -> Elaborated<'a> {
        let number = self.expression(left, names);
        let count = self.expression(right, names);
        let (number, count) = match (shift, number, count) {
            (Shift::Right, number, Elaborated::Function(function)) => {
                return self.piped(number, function, origin(left), (right.source, source));
            }
            (_, number, count) => (self.must_be_value(number), self.must_be_value(count)),
        };
        if self.unknowns.is_mistake(&number.ty) || self.unknowns.is_mistake(&count.ty) {
            return Elaborated::Value(self.mistake(source));
        }
        let count = self.count_beside(&number, count);
        let builtin = match shift {
            Shift::Left => Builtin::Shl,
            Shift::Right => Builtin::Shr,
        };
        Elaborated::Value(self.builtin_as(builtin, shift.symbol(), vec![number, count], source))
    }

    /// The count of a shift, which may be an integer of any type, in that of the number. Its lowest bits decide,
    /// and no conversion changes them. Beside a literal, which has no type yet, it stays as it is, unless it is
    /// known: then it is a literal too, so that the type comes from elsewhere, as in Rust.
    fn count_beside(&mut self, number: &typed::Expr, count: typed::Expr) -> typed::Expr {
        match self.lane(&number.ty) {
            Type::Scalar(lane) if lane.integer_limits().is_some() => self.as_integer(count, lane),
            Type::Scalar(ScalarType::Parameter(_)) => match self.known_integer(&count) {
                Some(known) => self.node(
                    typed::ExprKind::Literal(Literal::Integer(known)),
                    number.ty.clone(),
                    count.source,
                ),
                None => count,
            },
            Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) | Type::Array(_) => count,
        }
    }
}
