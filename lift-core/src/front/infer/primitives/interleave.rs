//! `deinterleave` and `interleave`: rows that take the elements of an array in turn (the cyclic
//! distribution), and the array that such rows were made of.

use super::super::environment::Argument;
use super::super::inference::Inference;
use super::call::Call;
use crate::ir::typed::{self, Layout};

impl<'a> Inference<'a> {
    /// `[A; n] -> [l => [A; (n - l + p - 1) / p]; p]`
    pub(super) fn deinterleave(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let Some(array) = self.array(call, &data) else {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        };
        let Some(sizes) = self.sizes(call, given) else { return self.mistake(call.source) };
        let [rows] = sizes.as_slice() else { return self.mistake(call.source) };
        let written = self.written_call(call, &[rows.to_string()]);
        self.layout(call, &written, Layout::Deinterleave { rows: rows.clone() }, &array, data)
    }

    /// `[l => [A; (n - l + p - 1) / p]; p] -> [A; n]`
    pub(super) fn interleave(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        if self.dimensions(call, &data, 2).is_none() {
            return self.mistake(call.source);
        }
        let Some(array) = self.array(call, &data) else { return self.mistake(call.source) };
        let written = self.written_call(call, &[]);
        self.layout(call, &written, Layout::Interleave, &array, data)
    }
}
