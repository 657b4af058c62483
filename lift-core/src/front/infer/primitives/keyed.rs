//! `reduceByKey` and `histogram`: tables whose entries combine the elements with one key.
//!
//! Both are reductions whose accumulator is the table and whose steps update one entry (`prelude`). The rules
//! here say what is wrong with keys, in terms of the call.

use super::super::environment::Argument;
use super::super::error::{ArrayMistake, Error};
use super::super::inference::Inference;
use super::call::Call;
use crate::ir::nat::Nat;
use crate::ir::scalar::ScalarClass;
use crate::ir::typed::result::{Judge, Purpose};
use crate::ir::typed::{self, Requirement};

impl<'a> Inference<'a> {
    /// `size -> ((B, A) -> B) -> B -> [integer; m] -> [A; m] -> [B; n]`
    pub(super) fn reduce_by_key(
        &mut self,
        call: &Call,
        mut given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let Some(keys) = given.pop() else { return self.mistake(call.source) };
        let keys = self.argument_value(keys);
        if !self.are_keys(call, &keys) {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        }
        if self.entries(call, &mut given).is_none() {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        }
        given.push(Argument::value(keys));
        self.derived_call(call, given, data)
    }

    /// `((B, A) -> B) -> B -> [integer; n + 1] -> [A; m] -> [B; n]`
    pub(super) fn reduce_segments(
        &mut self,
        call: &Call,
        mut given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let Some(offsets) = given.pop() else { return self.mistake(call.source) };
        let offsets = self.argument_value(offsets);
        if !self.are_keys(call, &offsets) {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        }
        let (Some(start), Some(array)) = (given.pop(), self.array(call, &data)) else {
            return self.mistake(call.source);
        };
        let initial = self.argument_value(start);
        let initial = self.size_as_integer(initial, &array.element);
        let Some(initial) = self.accumulated(call, initial) else { return self.mistake(call.source) };
        given.push(Argument::value(initial));
        given.push(Argument::value(offsets));
        self.derived_call(call, given, data)
    }

    /// `size -> [integer; m] -> [integer; n]`: floats would count to 2^24 only.
    pub(super) fn histogram(
        &mut self,
        call: &Call,
        mut given: Vec<Argument<'a>>,
        keys: typed::Expr,
    ) -> typed::Expr {
        if !self.are_keys(call, &keys) || self.entries(call, &mut given).is_none() {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        }
        let counts = self.derived_call(call, given, keys);
        if let Some(array) = counts.ty.as_array() {
            let integer = self.unknowns.fresh_scalar(ScalarClass::Integer);
            // Nothing else is known of the counts yet.
            let _ = self.unify(&array.element, &integer, call.row.name, call.source);
        }
        counts
    }

    /// The number of entries of a table, which has one at least. `None` after a mistake.
    fn entries(&mut self, call: &Call, given: &mut [Argument<'a>]) -> Option<()> {
        let name = self.written_name(call).to_owned();
        let count = given.first_mut()?;
        let size = self.natural_argument(count.clone(), &name)?;
        let written = self.written_call(call, &[size.to_string()]);
        let is_positive = Requirement::AtMost(Nat::one(), size.clone());
        self.asked(&written, call.source).need(is_positive, Purpose::Positive).ok()?;
        *count = Argument::value(self.size_value(size, count.source()));
        Some(())
    }

    /// Whether keys are an array of integers; reports it if they are not.
    pub(super) fn are_keys(&mut self, call: &Call, keys: &typed::Expr) -> bool {
        let Some(array) = self.array(call, keys) else { return false };
        let integer = self.unknowns.fresh_scalar(ScalarClass::Integer);
        let are_integers = self.unify(&array.element, &integer, call.row.name, keys.source).is_ok();
        if !are_integers {
            let mistake = ArrayMistake::Keys { name: self.written_name(call), ty: self.known(&keys.ty) };
            self.report(Error::new(keys.source, mistake));
        }
        are_integers
    }
}
