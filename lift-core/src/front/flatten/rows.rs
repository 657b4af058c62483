//! Arrays of rows, row by row and element by element.

use std::sync::Arc;

use super::before::{Stored, is_cheap};
use super::index::OFFSET;
use super::row::Place;
use super::{Delimited, Flat, Flattening, RowsMistake, internal, is_rearrangement, position_of};
use crate::ir::nat::{Nat, Substitution, Var};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::Build;
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, MapKind, NodeId, Position, Requirement};
use crate::ir::types::Type;

/// `segments(offsets, elements)`: rows of this length, `generate(count, |i| generate(length, |k| at(at(i,
/// offsets) + k, elements)))` with these positions `i` and `k`. The parts are names. `fresh` gives out the
/// numbers of nodes.
pub fn segments(
    of: &Delimited,
    length: &Var,
    elements: &Arc<Expr>,
    [row, position]: [Var; 2],
    source: Source,
    fresh: &mut dyn FnMut() -> u32,
) -> Expr {
    let node = |fresh: &mut dyn FnMut() -> u32, kind, ty| Expr { id: NodeId(fresh()), ty, source, kind };
    let element = |array: &Expr| array.ty.as_array().map_or(array.ty.clone(), |of| of.element.clone());
    let wide = Type::Scalar(OFFSET);
    let copy = |fresh: &mut dyn FnMut() -> u32, of: &Arc<Expr>| {
        Arc::new(Expr { id: NodeId(fresh()), source, ..of.as_ref().clone() })
    };
    let offsets = copy(fresh, &of.offsets);
    let offset = ExprKind::At(Position::Size(position_of(&row, &of.count)), offsets);
    let offset = Arc::new(node(fresh, offset, element(&of.offsets)));
    let offset = Arc::new(node(fresh, ExprKind::Cast(OFFSET, offset), wide.clone()));
    let in_row = Arc::new(node(fresh, ExprKind::Size(Nat::variable(&position)), wide.clone()));
    let place = Arc::new(node(fresh, ExprKind::Binary(BinaryOperator::Add, offset, in_row), wide));
    let array = copy(fresh, elements);
    let of_element = element(elements);
    let read = Arc::new(node(fresh, ExprKind::At(Position::Clamped(place), array), of_element.clone()));
    let length = Nat::variable(length);
    let of_row = Type::array(of_element, length.clone());
    let function = Lambda { parameters: Vec::new(), index: Some(position), body: read };
    let elements = Arc::new(node(fresh, ExprKind::Generate(length, function), of_row.clone()));
    let function = Lambda { parameters: Vec::new(), index: Some(row), body: elements };
    let rows = Type::array(of_row, of.count.clone());
    node(fresh, ExprKind::Generate(of.count.clone(), function), rows)
}

impl Flattening<'_> {
    /// The segments of an array with as many elements as the rows of this length have together.
    pub(super) fn segments_of(&mut self, length: &Var, elements: &Arc<Expr>) -> Flat<Arc<Expr>> {
        let of = self.delimited(length, elements)?;
        let positions = ["i", "k"].map(|name| self.build.index(name));
        let prover = self.build.prover();
        let fresh = &mut || prover.fresh();
        Ok(Arc::new(segments(&of, length, elements, positions, elements.source, fresh)))
    }

    /// Where the rows of a length stand.
    pub(super) fn delimited(&self, length: &Var, place: &Expr) -> Flat<Delimited> {
        let of = self.delimited.get(length).cloned();
        of.ok_or_else(|| (place.source, RowsMistake::Form(place.ty.clone())))
    }

    /// The element of an array of rows at a position. Arrays of other elements are computed before where that
    /// takes reductions of rows.
    pub(super) fn row(&mut self, rows: &Arc<Expr>, at: &Nat) -> Flat<Arc<Expr>> {
        if !self.has_rows(&rows.ty) {
            let mut values = rows.clone();
            if self.computes_with_rows(rows) || self.reads_definition(rows) {
                values = self.outside(rows)?;
                values = self.hoist("values", values);
            }
            return self.built(rows, |build| build.at(at.clone(), values));
        }
        match &rows.kind {
            ExprKind::Variable(read) => match self.definitions.get(&read.id).cloned() {
                Some(definition) => {
                    let definition = self.build.copy(&definition);
                    self.row(&definition, at)
                }
                None => Err((rows.source, RowsMistake::of_form(rows))),
            },
            ExprKind::Let { bindings, body } => {
                for binding in self.definitions(bindings, body)? {
                    self.hoisted.last_mut().into_iter().for_each(|before| before.push(binding.clone()));
                }
                self.row(body, at)
            }
            ExprKind::Generate(_, function) => {
                self.built(rows, |build| build.apply_copy(function, Some(at), Vec::new()))
            }
            ExprKind::Map(_, function, input) => {
                let element = self.row(input, at)?;
                self.applied_to_row(rows, function, at, &element)
            }
            ExprKind::Zip(parts) => {
                let parts = parts.iter().map(|part| self.row(part, at)).collect::<Flat<_>>()?;
                self.built(rows, |build| build.tuple(parts))
            }
            ExprKind::Component(tuple, position) => match &tuple.kind {
                ExprKind::Unzip(input) => {
                    let element = self.row(input, at)?;
                    self.component(&element, *position)
                }
                ExprKind::Tuple(parts) if *position < parts.len() => self.row(&parts[*position], at),
                _ => Err((rows.source, RowsMistake::of_form(tuple))),
            },
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.outside(condition)?;
                let (then, otherwise) = (self.row(then, at)?, self.row(otherwise, at)?);
                self.built(rows, |build| build.choice(condition, then, otherwise))
            }
            _ => Err((rows.source, RowsMistake::of_form(rows))),
        }
    }

    /// A function of a row, or of a tuple with rows. The `let`s before the row stay before the result.
    fn applied_to_row(
        &mut self,
        place: &Expr,
        function: &Lambda,
        at: &Nat,
        row: &Arc<Expr>,
    ) -> Flat<Arc<Expr>> {
        let (mut bindings, row) = match &row.kind {
            ExprKind::Let { bindings, body } => (bindings.clone(), body.clone()),
            _ => (Vec::new(), row.clone()),
        };
        let row = self.with_names(&row, &mut bindings)?;
        self.built(place, |build| {
            let value = build.apply_copy(function, Some(at), vec![row])?;
            build.bind_all(bindings, value)
        })
    }

    /// A tuple whose parts are named by `let`s, where they are computed.
    pub(super) fn with_names(&mut self, tuple: &Arc<Expr>, bindings: &mut Vec<Binding>) -> Flat<Arc<Expr>> {
        let ExprKind::Tuple(parts) = &tuple.kind else { return Ok(tuple.clone()) };
        let mut names = Vec::new();
        for part in parts {
            if is_cheap(part) || is_rearrangement(part) {
                names.push(part.clone());
                continue;
            }
            let variable = self.build.variable("part");
            names.push(self.build.read(&variable, &part.ty));
            bindings.push(Binding { variable, value: part.clone() });
        }
        self.built(tuple, |build| build.tuple(names))
    }

    /// `map(function, rows)`, where the function gives no rows.
    pub(super) fn for_each_row(
        &mut self,
        kind: MapKind,
        function: &Lambda,
        rows: &Arc<Expr>,
    ) -> Flat<Arc<Expr>> {
        let Some(of) = rows.ty.as_array() else {
            return Err((rows.source, RowsMistake::Form(rows.ty.clone())));
        };
        let count = of.length.clone();
        if kind == MapKind::Unspecified {
            return self.at_symbolic(rows, &count, |this, at| {
                let row = this.row(rows, at)?;
                let value = this.applied_to_row(rows, function, at, &row)?;
                let value = this.bound_before(&value, at, &count, Stored::WhatFunctionsRead)?;
                this.per_row(&value, at, &count)
            });
        }
        let worker = (self.build.variable("row"), Type::Scalar(ScalarType::I32));
        let function = self.at_each(("i", &count), vec![worker], |this, at| {
            let around = this.enter_rows(rows);
            let row = this.row(rows, at)?;
            let value = this.applied_to_row(rows, function, at, &row)?;
            let value = this.in_row(&value, at);
            this.active.truncate(around);
            value
        })?;
        self.built(rows, |build| {
            let nothing = build.literal(Literal::Integer(0), &Type::Scalar(ScalarType::I32))?;
            let workers = build.repeat(count, nothing)?;
            build.map(kind, function, workers)
        })
    }

    /// Begins with the function of an array of rows. What is returned is how many lengths were active before.
    fn enter_rows(&mut self, rows: &Expr) -> usize {
        let around = self.active.len();
        let lengths = self.delimited.keys().filter(|length| rows.ty.mentions(length));
        self.active.extend(lengths.cloned());
        around
    }

    /// What is computed for the row at a new position, which is any of them.
    fn at_symbolic<T>(
        &mut self,
        place: &Expr,
        count: &Nat,
        compute: impl FnOnce(&mut Self, &Nat) -> Flat<T>,
    ) -> Flat<T> {
        let index = self.build.index("i");
        let outside = self.build.prover().enter_index(&index, count);
        let around = self.enter_rows(place);
        let computed = compute(self, &Nat::variable(&index));
        self.active.truncate(around);
        let left = self.build.prover().leave_index(outside, &index, count);
        left.map_err(|mismatch| internal(place.source, &mismatch))?;
        // That there is a row was known up to here, and elements are computed where it is not.
        for length in std::mem::take(&mut self.read_at_rows) {
            let has_elements = Requirement::AtMost(Nat::one(), length);
            self.built(place, |build| build.need(has_elements, Purpose::ElementExists))?;
        }
        computed
    }

    /// A value of the row at a position, for each row. What it reduces is a reduction of segments of its own,
    /// whose results a map combines, so that work-items can share each.
    pub(super) fn per_row(&mut self, value: &Arc<Expr>, at: &Nat, count: &Nat) -> Flat<Arc<Expr>> {
        if self.is_reduction(value) {
            return self.for_each(value, at, count);
        }
        let mut reductions = Vec::new();
        let rest = self.reductions_apart(value, &mut Vec::new(), &mut reductions)?;
        if reductions.is_empty() {
            return self.for_each(value, at, count);
        }
        let arrays = reductions
            .iter()
            .map(|Binding { value, .. }| self.for_each(value, at, count))
            .collect::<Flat<Vec<_>>>()?;
        let reduced = match <[Arc<Expr>; 1]>::try_from(arrays) {
            Ok([only]) => only,
            Err(arrays) => self.built(value, |build| build.zip(arrays))?,
        };
        let Some(index) = at.as_variable() else { return Err((value.source, RowsMistake::Position)) };
        let element = reduced.ty.as_array().map_or(reduced.ty.clone(), |of| of.element.clone());
        let variable = self.build.variable("reduced");
        let read = self.build.read(&variable, &element);
        let function = self.at_each(("i", count), vec![(variable, element)], |this, row| {
            let mut rest = rest.substitute(&Substitution::from([(index.clone(), row.clone())]));
            for (position, reduction) in reductions.iter().enumerate() {
                let part = match reductions.len() {
                    1 => read.clone(),
                    _ => this.built(value, |build| build.component(&read, position))?,
                };
                rest = rest.replace(&reduction.variable, &part);
            }
            this.in_row(&rest, row)
        })?;
        let known = function.index.clone().filter(|index| function.mentions_index(index));
        let function = Lambda { index: known, ..function };
        self.built(value, |build| build.map(MapKind::Unspecified, function, reduced))
    }

    /// A value of the row at a position, computed by itself for each row.
    pub(super) fn for_each(&mut self, value: &Arc<Expr>, at: &Nat, count: &Nat) -> Flat<Arc<Expr>> {
        let Some(index) = at.as_variable() else { return Err((value.source, RowsMistake::Position)) };
        let function = self.at_each(("i", count), Vec::new(), |this, row| {
            let value = this.build.copy(value);
            let value = value.substitute(&Substitution::from([(index.clone(), row.clone())]));
            this.in_row(&value, row)
        })?;
        self.built(value, |build| build.generate(count.clone(), function))
    }

    /// `join(rows)`: an array of the elements of all rows.
    pub(super) fn joined(&mut self, rows: &Arc<Expr>) -> Flat<Arc<Expr>> {
        let (Some(length), Some(of)) = (self.length_of_rows(&rows.ty), rows.ty.as_array()) else {
            return Err((rows.source, RowsMistake::Form(rows.ty.clone())));
        };
        let count = of.length.clone();
        self.at_symbolic(rows, &count, |this, at| this.joined_at(rows, at, &count, &length))
    }

    fn joined_at(&mut self, rows: &Arc<Expr>, at: &Nat, count: &Nat, length: &Var) -> Flat<Arc<Expr>> {
        let row = self.row(rows, at)?;
        let row = self.bound_before(&row, at, count, Stored::All)?;
        let row = self.reduced_before(&row, at, count, &mut Vec::new())?;
        self.elements(&row, at, length)
    }

    /// The elements of all rows, where `row` is the one at a position.
    pub(super) fn elements(&mut self, row: &Arc<Expr>, at: &Nat, length: &Var) -> Flat<Arc<Expr>> {
        let of = self.delimited(length, row)?;
        let Some(index) = at.as_variable() else { return Err((row.source, RowsMistake::Position)) };
        let wide = Type::Scalar(OFFSET);
        let (number, in_row) = (self.build.variable("row"), self.build.variable("k"));
        let function = self.at_each(("p", &of.total), Vec::new(), |this, place| {
            let read = this.build.read(&in_row, &wide);
            let element = this.element(row, &Place::Flat { place: place.clone(), in_row: read })?;
            let mut element = this.in_row(&element, at)?;
            if mentions(&element, &in_row) {
                let first = this.first(&of, at, row)?;
                element = this.built(row, |build| {
                    let place = build.integer(place.clone(), OFFSET)?;
                    let value = build.binary(BinaryOperator::Subtract, place, first)?;
                    build.bind(in_row, value, element)
                })?;
            }
            if element.mentions_index(index) {
                let read = this.build.read(&number, &wide);
                element = this.with_index(&element, index, &read)?;
                let value = this.number_of_row((length, &of), place, row)?;
                element = this.built(row, |build| build.bind(number, value, element))?;
            }
            Ok(element)
        })?;
        self.built(row, |build| build.generate(of.total, function))
    }

    /// A component of a tuple of rows and other values.
    pub(super) fn component(&mut self, tuple: &Arc<Expr>, position: usize) -> Flat<Arc<Expr>> {
        match &tuple.kind {
            ExprKind::Let { bindings, body } => {
                let body = self.component(body, position)?;
                self.built(tuple, |build: &mut Build<'_>| build.bind_all(bindings.clone(), body))
            }
            ExprKind::If(condition, then, otherwise) => {
                let (then, otherwise) =
                    (self.component(then, position)?, self.component(otherwise, position)?);
                self.built(tuple, |build| build.choice(condition.clone(), then, otherwise))
            }
            _ => self.built(tuple, |build| build.component(tuple, position)),
        }
    }
}
