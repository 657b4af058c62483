//! `split`, `transpose`, `slide`: primitives that only say where elements are.

use super::super::environment::Argument;
use super::super::inference::Inference;
use super::call::Call;
use crate::ir::typed::{self, Layout};

impl<'a> Inference<'a> {
    /// `[A; n] -> [[A; m]; n / m]`
    pub(super) fn split(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        let Some(array) = self.array(call, &data) else {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        };
        let Some(sizes) = self.sizes(call, given) else { return self.mistake(call.source) };
        let [chunk] = sizes.as_slice() else { return self.mistake(call.source) };
        let written = self.written_call(call, &[chunk.to_string()]);
        self.layout(call, &written, Layout::Split { chunk: chunk.clone() }, &array, data)
    }

    /// `[[A; m]; n] -> [[A; n]; m]`
    pub(super) fn transpose(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        if self.dimensions(call, &data, 2).is_none() {
            return self.mistake(call.source);
        }
        let Some(array) = self.array(call, &data) else { return self.mistake(call.source) };
        let written = self.written_name(call).to_owned();
        self.layout(call, &written, Layout::Transpose, &array, data)
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
        let mut shown: Vec<String> = before.iter().map(|argument| (*argument).to_string()).collect();
        shown.extend([size.to_string(), step.to_string()]);
        let written = self.written_call(call, &shown);
        let layout = Layout::Slide { size: size.clone(), step: step.clone() };
        self.layout(call, &written, layout, &array, data)
    }
}
