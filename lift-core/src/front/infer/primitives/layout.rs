//! `split`, `transpose`, `slide`: primitives that only say where elements are.

use std::rc::Rc;

use super::super::environment::Argument;
use super::super::error::{ArrayMistake, Error};
use super::super::inference::Inference;
use super::super::need::{Need, Reason};
use super::super::unknowns::ArrayView;
use super::call::Call;
use crate::ir::nat::{Nat, Var};
use crate::ir::typed::{self, ExprKind, Layout, Requirement};
use crate::ir::types::{ArrayType, Type};

impl<'a> Inference<'a> {
    /// `[A; n] -> [[A; m]; n / m]`
    pub(super) fn split(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        let Some(array) = self.array(call, &data) else {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        };
        let Some(sizes) = self.sizes(call, given) else { return self.mistake(call.source) };
        let [chunk] = sizes.as_slice() else { return self.mistake(call.source) };
        if self.need_chunks(call, chunk, &array.length).is_none() {
            return self.mistake(call.source);
        }
        let ty = self.rows(&array, chunk, chunk, &array.length.divide(chunk));
        self.layout(call, Layout::Split { chunk: chunk.clone() }, data, ty)
    }

    /// Rows of `row` elements of an array that start every `stride` elements.
    fn rows(&mut self, array: &ArrayType, row: &Nat, stride: &Nat, count: &Nat) -> Type {
        if array.index.is_none() {
            return self.array_type(Type::array(array.element.clone(), row.clone()), count);
        }
        let index = self.unknowns.vars.fresh("i");
        let start = stride * Nat::variable(&index);
        let row = self.moved(array, row, |position| start + position);
        Type::array_at(&index, row, self.simplified(count))
    }

    fn need_chunks(&mut self, call: &Call, chunk: &Nat, length: &Nat) -> Option<()> {
        let written = self.written_call(call, &[chunk.to_string()]);
        if chunk.as_constant() == Some(0) {
            return self.positive(chunk, &written, call.source);
        }
        let requirement = Requirement::Divides(chunk.clone(), length.clone());
        self.need(Need { requirement, reason: Reason::ChunksFill, call: written, source: call.source })
    }

    /// `[[A; m]; n] -> [[A; n]; m]`
    pub(super) fn transpose(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        let Some((element, lengths)) = self.dimensions(call, &data, 2) else {
            return self.mistake(call.source);
        };
        let [rows, columns] = lengths.as_slice() else { return self.mistake(call.source) };
        let ArrayView::Array(outer) = self.as_array(&data.ty) else { return self.mistake(call.source) };
        let ArrayView::Array(inner) = self.as_array(&outer.element) else { return self.mistake(call.source) };
        if let Some(index) = outer.index.as_ref().filter(|index| columns.mentions(index)) {
            let mistake = ArrayMistake::Columns {
                name: self.written_name(call),
                row: index.clone(),
                ty: self.known(&data.ty),
                length: columns.clone(),
            };
            return self.fail(Error::new(call.source, mistake));
        }
        if outer.index.is_none() && inner.index.is_none() {
            let ty = Type::array(Type::array(element, rows.clone()), columns.clone());
            return self.layout(call, Layout::Transpose, data, ty);
        }
        let fresh = |this: &mut Self, array: &ArrayType| {
            this.unknowns.vars.fresh(array.index.as_ref().map_or("i", Var::name))
        };
        let (row, column) = (fresh(self, &outer), fresh(self, &inner));
        let element = match outer.element_at(&Nat::variable(&row)).as_array() {
            Some(inner) => inner.element_at(&Nat::variable(&column)),
            None => element,
        };
        let ty = Type::array_at(&column, Type::array_at(&row, element, rows.clone()), columns.clone());
        self.layout(call, Layout::Transpose, data, ty)
    }

    /// `[A; n] -> [[A; size]; (n - size + step) / step]`
    pub(super) fn slide(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        self.windows(call, &[], given, data)
    }

    /// The windows of an array. Messages show the arguments `before` in front of the sizes.
    pub(super) fn windows(
        &mut self,
        call: &Call,
        before: &[&str],
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let Some(array) = self.array(call, &data) else {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        };
        let Some(sizes) = self.sizes(call, given) else { return self.mistake(call.source) };
        let [size, step] = sizes.as_slice() else { return self.mistake(call.source) };
        let length = &array.length;
        if self.need_windows(call, before, size, step, length).is_none() {
            return self.mistake(call.source);
        }
        let ty = self.rows(&array, size, step, &(length - size + step).divide(step));
        self.layout(call, Layout::Slide { size: size.clone(), step: step.clone() }, data, ty)
    }

    fn need_windows(
        &mut self,
        call: &Call,
        before: &[&str],
        size: &Nat,
        step: &Nat,
        length: &Nat,
    ) -> Option<()> {
        let mut shown: Vec<String> = before.iter().map(|argument| (*argument).to_string()).collect();
        shown.extend([size.to_string(), step.to_string()]);
        let written = self.written_call(call, &shown);
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
        self.node(ExprKind::Layout(layout, Rc::new(data)), ty, call.source)
    }
}
