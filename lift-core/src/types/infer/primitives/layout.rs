//! `split`, `join`, `transpose`, `slide`: primitives that only say where elements are.

use super::super::Inference;
use super::super::constraint::{Need, Reason};
use super::super::environment::Argument;
use super::Call;
use crate::nat::Nat;
use crate::typed::{self, ExprKind, Layout, Requirement};
use crate::types::Type;

impl<'a> Inference<'a> {
    /// `[A; n] -> [[A; m]; n / m]`
    pub(super) fn split(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        let Some((element, lengths)) = self.dimensions(call, &data, 1) else {
            self.look_at(given);
            return self.mistake(call.source);
        };
        let Some(sizes) = self.sizes(call, given) else { return self.mistake(call.source) };
        let ([length], [chunk]) = (lengths.as_slice(), sizes.as_slice()) else {
            return self.mistake(call.source);
        };
        if self.need_chunks(call, chunk, length).is_none() {
            return self.mistake(call.source);
        }
        let count = length.divide(chunk);
        let ty = self.array_type(Type::array(element, chunk.clone()), &count);
        self.layout(call, Layout::Split { chunk: chunk.clone() }, data, ty)
    }

    fn need_chunks(&mut self, call: &Call, chunk: &Nat, length: &Nat) -> Option<()> {
        let written = self.written_call(call, &[chunk.to_string()]);
        if chunk.as_constant() == Some(0) {
            return self.positive(chunk, &written, call.source);
        }
        let requirement = Requirement::Divides(chunk.clone(), length.clone());
        self.need(Need { requirement, reason: Reason::ChunksFill, call: written, source: call.source })
    }

    /// `[[A; m]; n] -> [A; m * n]`
    pub(super) fn join(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        let Some((element, lengths)) = self.dimensions(call, &data, 2) else {
            return self.mistake(call.source);
        };
        let length = lengths.iter().fold(Nat::one(), |product, length| product * length);
        let ty = self.array_type(element, &length);
        self.layout(call, Layout::Join, data, ty)
    }

    /// `[[A; m]; n] -> [[A; n]; m]`
    pub(super) fn transpose(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        let Some((element, lengths)) = self.dimensions(call, &data, 2) else {
            return self.mistake(call.source);
        };
        let [rows, columns] = lengths.as_slice() else { return self.mistake(call.source) };
        let ty = Type::array(Type::array(element, rows.clone()), columns.clone());
        self.layout(call, Layout::Transpose, data, ty)
    }

    /// `[A; n] -> [[A; size]; (n - size + step) / step]`
    pub(super) fn slide(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        let Some((element, lengths)) = self.dimensions(call, &data, 1) else {
            self.look_at(given);
            return self.mistake(call.source);
        };
        let Some(sizes) = self.sizes(call, given) else { return self.mistake(call.source) };
        let ([length], [size, step]) = (lengths.as_slice(), sizes.as_slice()) else {
            return self.mistake(call.source);
        };
        if self.need_windows(call, size, step, length).is_none() {
            return self.mistake(call.source);
        }
        let count = (length - size + step).divide(step);
        let ty = self.array_type(Type::array(element, size.clone()), &count);
        self.layout(call, Layout::Slide { size: size.clone(), step: step.clone() }, data, ty)
    }

    fn need_windows(&mut self, call: &Call, size: &Nat, step: &Nat, length: &Nat) -> Option<()> {
        let written = self.written_call(call, &[size.to_string(), step.to_string()]);
        self.positive(step, &written, call.source)?;
        let fits = Requirement::AtMost(size.clone(), length.clone());
        self.need(Need {
            requirement: fits,
            reason: Reason::WindowFits,
            call: written.clone(),
            source: call.source,
        })?;
        let requirement = Requirement::Divides(step.clone(), length - size + step);
        let reason = Reason::WindowsFill(size.clone(), length.clone());
        self.need(Need { requirement, reason, call: written, source: call.source })
    }

    pub(super) fn layout(&mut self, call: &Call, layout: Layout, data: typed::Expr, ty: Type) -> typed::Expr {
        self.node(ExprKind::Layout(layout, Box::new(data)), ty, call.source)
    }
}
