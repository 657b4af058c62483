//! `reduceByKey` and `histogram`, tables whose entries combine the elements with one key, and `segments` and
//! `reduceSegments`, rows that offsets delimit.
//!
//! The tables are reductions whose accumulator is the table and whose steps update one entry (`prelude`). The rules
//! here say what is wrong with keys, in terms of the call.

use std::sync::Arc;

use super::super::environment::Argument;
use super::super::error::{ArrayMistake, Error};
use super::super::inference::Inference;
use super::call::Call;
use crate::front::flatten::{self, Delimited};
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::ScalarClass;
use crate::ir::typed::result::{Judge, Purpose};
use crate::ir::typed::{self, ExprKind, Layout, Requirement};
use crate::ir::types::Type;

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

    /// `[integer; n + 1] -> [A; m] -> [[A; _]; n]`, where the length of a row is a variable that no launch
    /// knows. Rows between the same offsets have the same.
    pub(super) fn segments(
        &mut self,
        call: &Call,
        mut given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let Some(offsets) = given.pop() else { return self.mistake(call.source) };
        let offsets = self.argument_value(offsets);
        if !self.are_keys(call, &offsets) {
            return self.mistake(call.source);
        }
        let (Some((_, rows)), Some((element, total))) =
            (self.regular(call, &offsets), self.regular(call, &data))
        else {
            return self.mistake(call.source);
        };
        let written = self.written_call(call, &[]);
        let has_start = Requirement::AtMost(Nat::one(), rows.clone());
        if self.asked(&written, call.source).need(has_start, Purpose::NotEmpty).is_err() {
            return self.mistake(call.source);
        }
        let count = self.simplified(&(rows - Nat::one()));
        let offsets = self.bind(offsets, "offsets");
        let name = match &offsets.kind {
            ExprKind::Variable(variable) => variable.name.to_string(),
            _ => "offsets".to_owned(),
        };
        let length = self.length_of_rows(&offsets, &total, &name);
        let of = Delimited { offsets: Arc::new(offsets), count, total };
        let ty = Type::array(element, of.total.clone());
        let data = self.bind(typed::Expr { ty, ..data }, "xs");
        let source = self.located(call.source);
        let positions = ["i", "k"].map(|name| self.unknowns.vars.fresh(name));
        let fresh = &mut || self.fresh_id();
        let rows = flatten::segments(&of, &length, &Arc::new(data), positions, source, fresh);
        self.delimited.push((length, of));
        rows
    }

    /// The variable for the length of rows between offsets.
    fn length_of_rows(&mut self, offsets: &typed::Expr, total: &Nat, name: &str) -> Var {
        let known = std::mem::take(&mut self.delimited);
        let same = known.iter().find(|(_, of)| {
            flatten::is_same_name(&of.offsets, offsets)
                && self.simplified(&of.total) == self.simplified(total)
        });
        let length = match same {
            Some((length, _)) => length.clone(),
            None => {
                let length = self.unknowns.vars.fresh(&format!("len(row of {name})"));
                self.facts.declare(&length, Nat::zero(), None);
                length
            }
        };
        self.delimited = known;
        length
    }

    /// An array of the elements of rows that data delimits, which are as many as those of the array that is
    /// delimited. `None` for other rows.
    pub(super) fn joined_segments(&mut self, call: &Call, rows: &typed::Expr) -> Option<typed::Expr> {
        let outer = self.unknowns.resolve(&rows.ty);
        let outer = outer.as_array()?;
        let inner = outer.element.as_array().filter(|inner| inner.index.is_none())?;
        let length = self.unknowns.resolve_size(&inner.length);
        let (_, of) = self.delimited.iter().find(|(known, _)| length.as_variable() == Some(known))?;
        let total = of.total.clone();
        let kind = ExprKind::Layout(Layout::Join, Arc::new(rows.clone()));
        Some(self.node(kind, Type::array(inner.element.clone(), total), call.source))
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
