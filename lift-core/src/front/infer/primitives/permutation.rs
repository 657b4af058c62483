//! `scatter`: writing through a function on positions, which must be a permutation.

use super::super::environment::Argument;
use super::super::error::Access;
use super::super::inference::Inference;
use super::call::Call;
use crate::ir::typed::{self, Layout};

impl<'a> Inference<'a> {
    /// `[A; n] -> [A; n]`, where `out[f(i)] = in[i]`.
    pub(super) fn scatter(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array = self.array(call, &data);
        let (Some(array), Some(argument)) = (array, given.into_iter().next()) else {
            return self.mistake(call.source);
        };
        let length = array.length.clone();
        let source = argument.source();
        let written = self.written_call(call, &[]);
        let Some(function) = self.position_function(argument, &length, Access::Write, &written) else {
            return self.mistake(call.source);
        };
        let permutes = function.permutes(&length, &mut self.asked(&written, source));
        if let Err(mismatch) = permutes {
            self.report_image(mismatch, &written, source);
            return self.mistake(call.source);
        }
        self.satisfied_layout(call, Layout::Scatter(function), &array, data)
    }
}
