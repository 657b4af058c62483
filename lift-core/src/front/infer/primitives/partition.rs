//! `partition` and `join`: rows whose length depends on their position, and one array of all of them
//! (Pizzuti, Steuwer, Dubach, FHPNC 2019, section 4).

use super::super::environment::{Argument, Binding};
use super::super::error::{ArrayMistake, Error, PositionMistake};
use super::super::inference::Inference;
use super::super::need::{Need, Reason};
use super::super::unknowns::{ArrayView, Mismatch};
use super::call::{Call, spelled};
use super::sequence::position_name;
use crate::front::syntax::{Expr, ExprKind as Syntax};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::typed::{self, Layout, Requirement, Rows};
use crate::ir::types::Type;

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
        if self.need_all_elements(call, &rows, &array.length, &written).is_none() {
            return self.mistake(call.source);
        }
        let row = self.unknowns.vars.fresh(rows.index.as_ref().map_or("i", Var::name));
        let position = Nat::variable(&row);
        let start = self.simplified(&rows.start(&position));
        let length = rows.length_at(&position);
        let element = self.moved(&array, &length, |inner| start + inner);
        let ty = Type::array_at(&row, element, rows.count.clone());
        self.layout(call, Layout::Partition(rows), data, ty)
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
        let function = self.function_argument(lengths)?;
        let known = self.errors.len();
        let index = self.unknowns.vars.fresh(position_name(&function));
        let length = self.under_index(&index, &count, |this| {
            let length = this.apply_to_sizes(&function, &[Nat::variable(&index)], &count, source)?;
            let requirement = Requirement::AtMost(Nat::zero(), length.clone());
            let reason = Reason::NotNegative;
            this.need(Need { requirement, reason, call: written.to_owned(), source })?;
            Some(this.simplified(&length))
        })?;
        // A length that is negative somewhere was reported when the position was left.
        (self.errors.len() == known).then_some(Rows { index: Some(index), length, count })
    }

    /// Demands that the rows take all elements, no more and no less. `None` when they never do.
    fn need_all_elements(&mut self, call: &Call, rows: &Rows, length: &Nat, written: &str) -> Option<()> {
        let total = self.simplified(&rows.total());
        let Err(mismatch) = self.unify_sizes(&total, length, written, call.source) else { return Some(()) };
        let (total, length) = match mismatch {
            Mismatch::Size(total, length) => (total, length),
            Mismatch::Shape => (total, length.clone()),
        };
        let requirement = Requirement::Equal(total, length);
        self.need(Need {
            requirement,
            reason: Reason::RowsFill,
            call: written.to_owned(),
            source: call.source,
        })
    }

    /// `[[A; m]; n] -> [A; m * n]`, and `[i => [A; g(i)]; n] -> [A; sum of g]`
    pub(super) fn join(&mut self, call: &Call, data: typed::Expr) -> typed::Expr {
        if self.dimensions(call, &data, 2).is_none() {
            return self.mistake(call.source);
        }
        let ArrayView::Array(outer) = self.as_array(&data.ty) else { return self.mistake(call.source) };
        let ArrayView::Array(inner) = self.as_array(&outer.element) else { return self.mistake(call.source) };
        let named = outer.index.as_ref().map_or("i", Var::name);
        let (row, column) = (self.unknowns.vars.fresh(named), self.unknowns.vars.fresh("j"));
        let at_row = outer.element_at(&Nat::variable(&row));
        let inner = at_row.as_array().cloned().unwrap_or_else(|| inner.as_ref().clone());
        let rows =
            Rows { index: Some(row.clone()), length: inner.length.clone(), count: outer.length.clone() };
        let total = match inner.length.mentions(&row) {
            true => self.simplified(&rows.total()),
            false => self.simplified(&(&inner.length * &outer.length)),
        };
        let element = self.unknowns.resolve(&inner.element_at(&Nat::variable(&column)));
        let ty = if element.mentions(&row) || element.mentions(&column) {
            match self.element_of_joined(&rows, &row, &column, &element) {
                Some((position, element)) => Type::array_at(&position, element, total),
                None => {
                    let ty = self.known(&data.ty);
                    return self.fail(Error::new(call.source, ArrayMistake::Joined { ty }));
                }
            }
        } else {
            Type::array(element, total)
        };
        self.layout(call, Layout::Join, data, ty)
    }

    /// The type of the elements of joined rows, by their position in the joined array. It is what the first
    /// row says, if that is right for all rows (`join` undoes `partition`). If all rows have one length, it
    /// is what the quotient and the remainder of the position say. `None` where there is no formula.
    fn element_of_joined(
        &mut self,
        rows: &Rows,
        row: &Var,
        column: &Var,
        element: &Type,
    ) -> Option<(Var, Type)> {
        let position = self.unknowns.vars.fresh(row.name());
        let at = |row_is: &Nat, column_is: &Nat| {
            element.substitute(&[(row.clone(), row_is.clone()), (column.clone(), column_is.clone())].into())
        };
        let whole = Nat::variable(&position);
        let first = at(&Nat::zero(), &whole);
        let mut facts = self.facts.clone();
        facts.declare(row, Nat::zero(), Some(rows.count.clone()));
        facts.declare(column, Nat::zero(), Some(rows.length.clone()));
        let there = facts.simplify(&(rows.start(&Nat::variable(row)) + Nat::variable(column)));
        let candidate = first.substitute(&[(position.clone(), there)].into());
        if self.unknowns.clone().unify(&candidate, element, &mut facts).is_ok() {
            return Some((position, first));
        }
        let is_even = !rows.length.mentions(row);
        is_even.then(|| {
            let (outer, inner) = (whole.divide(&rows.length), whole.modulo(&rows.length));
            let element = at(&outer, &inner);
            (position, element)
        })
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
