//! `partition`, `chunks` and `join`: rows whose length depends on their position, and one array of all of
//! them (Pizzuti, Steuwer, Dubach, FHPNC 2019, section 4).

use super::super::environment::{Argument, Binding};
use super::super::error::{Error, PositionMistake, Taker};
use super::super::inference::Inference;
use super::super::need::{Need, Reason};
use super::super::unknowns::ArrayView;
use super::call::{Call, spelled};
use super::sequence::position_name;
use crate::front::syntax::{Expr, ExprKind as Syntax};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{self, Layout, Requirement, Rows};

impl<'a> Inference<'a> {
    /// `[A; sum of g] -> [i => [A; g(i)]; k]`
    pub(super) fn partition(
        &mut self,
        call: &Call,
        given: Vec<Argument<'a>>,
        data: typed::Expr,
    ) -> typed::Expr {
        let array = self.array(call, &data);
        let mut given = given.into_iter();
        let (Some(count), Some(lengths)) = (given.next(), given.next()) else {
            return self.mistake(call.source);
        };
        let spelling = spelled(&lengths);
        let name = self.written_name(call).to_owned();
        let count = self.natural_argument(count, &name);
        let (Some(array), Some(count)) = (array, count) else { return self.mistake(call.source) };
        let written = self.written_call(call, &[count.to_string(), spelling]);
        let Some(rows) = self.row_lengths(lengths, count, &written) else { return self.mistake(call.source) };
        self.layout(call, &written, Layout::Partition(rows), &array, data)
    }

    /// `[A; n] -> [i => [A; min(m, n - m * i)]; (n + m - 1) / m]`: a partition that takes all elements, as
    /// the algebra of sizes knows.
    pub(super) fn chunks(&mut self, call: &Call, given: Vec<Argument<'a>>, data: typed::Expr) -> typed::Expr {
        let Some(array) = self.array(call, &data) else {
            self.report_mistakes_in(given);
            return self.mistake(call.source);
        };
        let Some(sizes) = self.sizes(call, given) else { return self.mistake(call.source) };
        let [chunk] = sizes.as_slice() else { return self.mistake(call.source) };
        let written = self.written_call(call, &[chunk.to_string()]);
        if self.positive(chunk, &written, call.source).is_none() {
            return self.mistake(call.source);
        }
        let index = self.unknowns.vars.fresh("i");
        let count = self.simplified(&(&array.length + chunk - Nat::one()).divide(chunk));
        let length = self.under_index(&index, &count, |this| {
            this.simplified(&Nat::min(chunk, &(&array.length - chunk * Nat::variable(&index))))
        });
        let layout = match length == *chunk {
            true => Layout::Split { chunk: length },
            false => {
                Layout::Partition(Rows { index: length.mentions(&index).then_some(index), length, count })
            }
        };
        self.layout(call, &written, layout, &array, data)
    }

    /// The lengths of the rows: a function on sizes, or `caseSplit`. `None` after a mistake.
    fn row_lengths(&mut self, lengths: Argument<'a>, count: Nat, written: &str) -> Option<Rows> {
        let source = lengths.source();
        if let Argument::Syntax(Expr { kind: Syntax::Name(name), .. }, names) = &lengths
            && let Some(Binding::Alias(aliased)) = names.get(name).cloned()
        {
            return self.row_lengths(aliased, count, written);
        }
        if let Argument::Syntax(Expr { kind: Syntax::Call(callee, cases, _), .. }, names) = &lengths
            && let Syntax::Name(name) = &callee.kind
            && name == "caseSplit"
            && names.get(name).is_none()
        {
            let sizes: Vec<Option<Nat>> =
                cases.iter().map(|case| self.natural(case, names, "caseSplit")).collect();
            let sizes: Vec<Nat> = sizes.into_iter().collect::<Option<_>>()?;
            let Some(length) = case_split(&mut |name| self.unknowns.vars.fresh(name), &sizes) else {
                self.report(Error::new(source, PositionMistake::NoRows));
                return None;
            };
            if let Some(rows) = count.as_constant()
                && i128::try_from(cases.len()) != Ok(rows)
            {
                self.report(Error::new(source, PositionMistake::Rows { lengths: cases.len(), rows }));
                return None;
            }
            let (index, length) = length;
            return Some(Rows { index: Some(index), length, count });
        }
        let function = self.function_without_position(lengths, Taker::OfPositions)?;
        let known = self.errors.len();
        let index = self.unknowns.vars.fresh(position_name(&function));
        let length = self.under_index(&index, &count, |this| {
            let length = this.apply_to_sizes(&function, &[Nat::variable(&index)], &count, source)?;
            let requirement = Requirement::AtMost(Nat::zero(), length.clone());
            let reason = Reason::Primitive(Purpose::NotNegative);
            this.need(Need { requirement, reason, call: written.to_owned(), source })?;
            Some(this.simplified(&length))
        })?;
        // A length that is negative somewhere was reported when the position was left.
        (self.errors.len() == known).then_some(Rows { index: Some(index), length, count })
    }

    /// `[[A; m]; n] -> [A; m * n]`, and `[i => [A; g(i)]; n] -> [A; sum of g]`
    pub(super) fn join(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        if self.dimensions(call, &data, 2).is_none() {
            return self.mistake(call.source);
        }
        if let Some(joined) = self.joined_segments(call, &data) {
            return joined;
        }
        let ArrayView::Array(outer) = self.as_array(&data.ty) else { return self.mistake(call.source) };
        self.satisfied_layout(call, Layout::Join, &outer, data)
    }
}

/// `|i| if i < 1 { a } else if i < 2 { b } else { c }`; `None` without a case.
fn case_split(fresh: &mut dyn FnMut(&str) -> Var, sizes: &[Nat]) -> Option<(Var, Nat)> {
    let index = fresh("i");
    let (last, others) = sizes.split_last()?;
    let mut length = last.clone();
    for (position, size) in (1..).zip(others).collect::<Vec<(i128, &Nat)>>().into_iter().rev() {
        let before = Condition::Less(Nat::variable(&index), Nat::constant(position));
        length = Nat::select(&before, size, &length);
    }
    Some((index, length))
}
