//! `pad` and `padConstant`.

use std::sync::Arc;

use super::super::environment::{Argument, Binding};
use super::super::error::{ArrayMistake, Error, PositionMistake, Taker};
use super::super::inference::Inference;
use super::call::Call;
use super::call::spelled;
use crate::front::syntax::{Expr, ExprKind as Syntax};
use crate::ir::nat::Nat;
use crate::ir::typed::result::positions::Positions;
use crate::ir::typed::result::{array, repeats_element};
use crate::ir::typed::{self, Boundary, ExprKind, Layout};
use crate::ir::types::ArrayType;

impl<'a> Inference<'a> {
    /// `[A; n] -> [A; l + n + r]`
    pub(super) fn pad(
        &mut self,
        call: &Call,
        mut given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array = self.regular(call, &data);
        let Some(boundary) = given.pop() else { return self.mistake(call.source) };
        let sizes = self.sizes(call, given);
        let (Some((element, length)), Some(sizes)) = (array, sizes) else {
            return self.mistake(call.source);
        };
        let [left, right] = sizes.as_slice() else { return self.mistake(call.source) };
        let written = self.written_call(call, &[left.to_string(), right.to_string(), spelled(&boundary)]);
        let sound = repeats_element(left, right, &length, &mut self.asked(&written, call.source));
        let boundary = self.boundary(boundary, left, right, &length, &written);
        let (Ok(()), Some(boundary)) = (sound, boundary) else { return self.mistake(call.source) };
        let layout = Layout::Pad { left: left.clone(), right: right.clone(), boundary };
        self.satisfied_layout(call, layout, &ArrayType { index: None, element, length }, data)
    }

    fn boundary(
        &mut self,
        argument: Argument<'a>,
        left: &Nat,
        right: &Nat,
        length: &Nat,
        written: &str,
    ) -> Option<Boundary> {
        if let Argument::Syntax(Expr { kind: Syntax::Name(name), source }, names) = &argument {
            match (names.get(name).cloned(), name.as_str()) {
                (Some(Binding::Alias(aliased)), _) => {
                    return self.boundary(aliased, left, right, length, written);
                }
                (Some(_), _) => {}
                (None, "clamp") => return Some(Boundary::Clamp),
                (None, "mirror") => return Some(Boundary::Mirror),
                (None, "wrap") => return Some(Boundary::Wrap),
                (None, _) => {
                    self.report(Error::new(*source, PositionMistake::Boundary(name.clone())));
                    return None;
                }
            }
        }
        if let Argument::Syntax(Expr { kind: Syntax::Literal(..), source }, _) = &argument {
            self.report(Error::new(*source, PositionMistake::NumberAsBoundary));
            return None;
        }
        let source = argument.source();
        let function = self.function_without_position(argument, Taker::OfPositions)?;
        let all = Positions { from: Nat::zero() - left, to: length + right, length: length.clone() };
        let function = self.index_function(function, std::slice::from_ref(length), &all, source)?;
        for border in Positions::borders(left, right, length) {
            self.stays_inside(&function, &border, written, source)?;
        }
        Some(Boundary::Custom(function))
    }

    /// `[A; n] -> [A; l + n + r]`, with a value at the border.
    pub(super) fn pad_constant(
        &mut self,
        call: &Call,
        mut given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let regular = self.regular(call, &data);
        let value = given.pop().map(|value| self.argument_value(value));
        let sizes = self.sizes(call, given);
        let (Some((element, length)), Some(value), Some(sizes)) = (regular, value, sizes) else {
            return self.mistake(call.source);
        };
        let [left, right] = sizes.as_slice() else { return self.mistake(call.source) };
        let name = self.written_name(call);
        let value = self.fit(value, &element);
        let value = self.as_stored(value);
        if let Err(mismatch) = self.unify(&value.ty, &element, name, value.source) {
            let nested = self.unknowns.resolve(&element).rank();
            let pads_all = (1..=2).contains(&nested) && call.row.name == name;
            let mistake = ArrayMistake::Border {
                name,
                value: self.known(&value.ty),
                element: self.known(&element),
                mismatch: self.simplified_mismatch(&mismatch),
                dimensions: pads_all.then_some(nested + 1),
            };
            return self.fail(Error::new(value.source, mistake));
        }
        let padded = ArrayType { index: None, element, length };
        let ty = array::padded(&padded, [left, right], &self.asked(name, call.source));
        let kind = ExprKind::PadConstant {
            left: left.clone(),
            right: right.clone(),
            value: Arc::new(value),
            input: Arc::new(data),
        };
        self.node(kind, ty, call.source)
    }
}
