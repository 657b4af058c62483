//! One row: its elements, its length, and what is reduced of it.

use std::sync::Arc;

use super::index::OFFSET;
use super::{Delimited, Flat, Flattening, RowsMistake, internal, is_same_name, refused};
use crate::ir::nat::{Nat, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::typed::binders::mentions_size;
use crate::ir::typed::build::{Build, Built};
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, Position, ReduceKind};
use crate::ir::types::Type;

/// An element of a row.
pub(super) enum Place {
    /// The one of a step of a loop, whose position in the row is a size.
    Step {
        /// The position in the row.
        in_row: Nat,
        /// Where the row begins.
        first: Arc<Expr>,
    },
    /// The one at a position among the elements of all rows.
    Flat {
        /// This position.
        place: Nat,
        /// The position in the row.
        in_row: Arc<Expr>,
    },
    /// The one at a position that is computed.
    Computed {
        /// The position in the row.
        in_row: Arc<Expr>,
        /// Where the row begins.
        first: Arc<Expr>,
    },
}

impl Flattening<'_> {
    /// The element of a row at a place.
    pub(super) fn element(&mut self, row: &Arc<Expr>, at: &Place) -> Flat<Arc<Expr>> {
        if let Some(elements) = self.elements_of_segment(row) {
            return self.element_of_all(&elements, at).map_err(|mismatch| internal(row.source, &mismatch));
        }
        match &row.kind {
            ExprKind::Generate(_, function) => self.applied(row, function, at, Vec::new()),
            ExprKind::Map(_, function, input) => {
                let element = self.element(input, at)?;
                self.applied(row, function, at, vec![element])
            }
            ExprKind::Zip(parts) => {
                let parts = parts.iter().map(|part| self.element(part, at)).collect::<Flat<_>>()?;
                self.built(row, |build| build.tuple(parts))
            }
            ExprKind::Component(tuple, position) => match &tuple.kind {
                ExprKind::Unzip(input) => {
                    let element = self.element(input, at)?;
                    self.component(&element, *position)
                }
                ExprKind::Tuple(parts) if *position < parts.len() => self.element(&parts[*position], at),
                ExprKind::Let { .. } | ExprKind::If(..) => {
                    let component = self.component(tuple, *position)?;
                    self.element(&component, at)
                }
                _ => Err((row.source, RowsMistake::of_form(tuple))),
            },
            ExprKind::If(condition, then, otherwise) => {
                let (then, otherwise) = (self.element(then, at)?, self.element(otherwise, at)?);
                self.built(row, |build| build.choice(condition.clone(), then, otherwise))
            }
            ExprKind::Let { bindings, body } => {
                let (kept, body) = self.without_rows(bindings, body);
                let element = self.element(&body, at)?;
                self.built(row, |build| build.bind_all(kept, element))
            }
            ExprKind::Repeat(_, value) => Ok(value.clone()),
            _ => Err((row.source, RowsMistake::of_form(row))),
        }
    }

    /// The array whose elements a row of `segments` has.
    fn elements_of_segment(&self, row: &Expr) -> Option<Arc<Expr>> {
        let ExprKind::Generate(length, function) = &row.kind else { return None };
        let of = self.delimited.get(length.as_variable()?)?;
        let ExprKind::At(Position::Clamped(place), elements) = &function.body.kind else { return None };
        let ExprKind::Binary(BinaryOperator::Add, offset, in_row) = &place.kind else { return None };
        let ExprKind::Cast(_, offset) = &offset.kind else { return None };
        let ExprKind::At(_, offsets) = &offset.kind else { return None };
        let is_position = matches!((&in_row.kind, &function.index), (ExprKind::Size(size), Some(index)) if size.as_variable() == Some(index));
        let is_all = elements.ty.as_array()?.length == of.total;
        (is_same_name(offsets, &of.offsets) && is_position && is_all).then(|| elements.clone())
    }

    fn element_of_all(&mut self, elements: &Arc<Expr>, at: &Place) -> Built {
        let (first, in_row) = match at {
            Place::Flat { place, .. } => return self.build.at(place.clone(), elements.clone()),
            Place::Step { in_row, first } => (first, self.build.integer(in_row.clone(), OFFSET)?),
            Place::Computed { in_row, first } => (first, in_row.clone()),
        };
        let place = self.build.binary(BinaryOperator::Add, first.clone(), in_row)?;
        self.build.element(Position::Clamped(place), elements.clone())
    }

    /// A function of elements, which may know their position in the row.
    fn applied(
        &mut self,
        row: &Expr,
        function: &Lambda,
        at: &Place,
        arguments: Vec<Arc<Expr>>,
    ) -> Flat<Arc<Expr>> {
        let in_row = match (at, &function.index) {
            (Place::Step { in_row, .. }, _) => {
                return self.built(row, |build| build.apply_copy(function, Some(in_row), arguments));
            }
            (_, None) => return self.built(row, |build| build.apply_copy(function, None, arguments)),
            (Place::Flat { in_row, .. } | Place::Computed { in_row, .. }, Some(_)) => in_row,
        };
        let of_elements = Lambda { index: None, ..function.clone() };
        let applied = self.built(row, |build| build.apply_copy(&of_elements, None, arguments))?;
        match &function.index {
            Some(index) => self.with_index(&applied, index, in_row),
            None => Ok(applied),
        }
    }

    /// The `let`s that bind no rows, and the body, in which the others are written out.
    fn without_rows(&self, bindings: &[Binding], body: &Arc<Expr>) -> (Vec<Binding>, Arc<Expr>) {
        let mut kept: Vec<Binding> = Vec::new();
        let mut rows: Vec<Binding> = Vec::new();
        let written_out = |rows: &[Binding], expr: &Arc<Expr>| {
            rows.iter().rev().fold(expr.clone(), |expr, row| expr.replace(&row.variable, &row.value))
        };
        for binding in bindings {
            let binding = binding.with_value(written_out(&rows, &binding.value));
            match self.has_rows(&binding.value.ty) {
                true => rows.push(binding),
                false => kept.push(binding),
            }
        }
        (kept, written_out(&rows, body))
    }

    /// A value, which is no row, in a function of the row at a position.
    pub(super) fn in_row(&mut self, expr: &Arc<Expr>, row: &Nat) -> Flat<Arc<Expr>> {
        if !self.computes_with_rows(expr) && !self.reads_definition(expr) {
            return Ok(expr.clone());
        }
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                let (kept, body) = self.without_rows(bindings, body);
                let flat = |this: &mut Self, binding: Binding| {
                    this.in_row(&binding.value, row).map(|value| binding.with_value(value))
                };
                let kept = kept.into_iter().map(|binding| flat(self, binding)).collect::<Flat<_>>()?;
                let body = self.in_row(&body, row)?;
                self.built(expr, |build| build.bind_all(kept, body))
            }
            ExprKind::Size(size) => {
                let length = size.variables().into_iter().find(|size| self.delimited.contains_key(size));
                let Some(length) = length else { return Ok(expr.clone()) };
                let count = self.length(&length, row, expr)?;
                self.with_index(expr, &length, &count)
            }
            ExprKind::Reduce(kind, function, initial, of) if self.length_of_row(&of.ty).is_some() => {
                self.reduced(expr, (*kind, function, initial), of, row)
            }
            ExprKind::At(Position::OrDefault(position, default), of)
                if self.length_of_row(&of.ty).is_some() =>
            {
                let element = self.element_or(expr, (position, default), of, row)?;
                self.in_row(&element, row)
            }
            ExprKind::Component(tuple, position) if self.has_rows(&tuple.ty) => {
                let component = self.component(tuple, *position)?;
                match component.kind == expr.kind {
                    true => Err((expr.source, RowsMistake::of_form(tuple))),
                    false => self.in_row(&component, row),
                }
            }
            ExprKind::Map(_, _, rows) | ExprKind::Layout(_, rows)
                if self.length_of_rows(&rows.ty).is_some() =>
            {
                let mut inner = expr.clone();
                for length in self.active.clone() {
                    if mentions_size(&inner, &length) {
                        let count = self.length(&length, row, expr)?;
                        let replaced = self.with_index(&inner, &length, &count);
                        inner = replaced.map_err(|_| (expr.source, RowsMistake::Nested))?;
                    }
                }
                self.outside(&inner)
            }
            _ => self.parts(expr, &mut |this, child| match this.has_rows(&child.ty) {
                true => Err(refused(expr, child)),
                false => this.in_row(child, row),
            }),
        }
    }

    /// The length of a row, as an integer.
    fn length(&mut self, length: &Var, row: &Nat, place: &Expr) -> Flat<Arc<Expr>> {
        let of = self.delimited(length, place)?;
        let first = self.first(&of, row, place)?;
        let count = self.count(&of, row, first, place)?;
        let zero = self.number(0).map_err(|mismatch| internal(place.source, &mismatch))?;
        self.built(place, |build| build.builtin(Builtin::Max, vec![count, zero]))
    }

    /// How many elements a row has that begins at `first`; of a row that ends before, no positive number.
    fn count(&mut self, of: &Delimited, row: &Nat, first: Arc<Expr>, place: &Expr) -> Flat<Arc<Expr>> {
        let end = self.first(of, &(row + Nat::one()), place)?;
        self.built(place, |build| build.binary(BinaryOperator::Subtract, end, first))
    }

    /// A reduction of a row: a loop over as many elements as it has.
    fn reduced(
        &mut self,
        expr: &Expr,
        (kind, function, initial): (ReduceKind, &Lambda, &Arc<Expr>),
        elements: &Arc<Expr>,
        row: &Nat,
    ) -> Flat<Arc<Expr>> {
        match kind {
            ReduceKind::Unspecified | ReduceKind::Sequential | ReduceKind::Pipelined | ReduceKind::While => {}
            ReduceKind::Unrolled | ReduceKind::Global | ReduceKind::Local => {
                return Err((expr.source, RowsMistake::Primitive(kind.name())));
            }
        }
        if self.has_rows(&initial.ty) {
            return Err((expr.source, RowsMistake::Accumulator(initial.ty.clone())));
        }
        let Some(length) = self.length_of_row(&elements.ty) else {
            return Err((expr.source, RowsMistake::Form(elements.ty.clone())));
        };
        let of = self.delimited(&length, expr)?;
        let (wide, step) = (Type::Scalar(OFFSET), Type::Scalar(ScalarType::I32));
        let [first, count] = ["first", "count"].map(|name| self.build.variable(name));
        let [first_read, count_read] = [&first, &count].map(|variable| self.build.read(variable, &wide));
        let first_value = self.first(&of, row, expr)?;
        let count_value = self.count(&of, row, first_read.clone(), expr)?;
        let accumulator = self.build.variable("acc");
        let parameters =
            vec![(accumulator.clone(), initial.ty.clone()), (self.build.variable("step"), step.clone())];
        let function = self.at_each(("k", &of.total), parameters, |this, in_row| {
            let place = Place::Step { in_row: in_row.clone(), first: first_read.clone() };
            let element = this.element(elements, &place)?;
            let before = this.build.read(&accumulator, &initial.ty);
            let next =
                this.built(expr, |build| build.apply_copy(function, Some(in_row), vec![before, element]))?;
            let next = this.in_row(&next, row)?;
            this.built(expr, |build| {
                let position = build.integer(in_row.clone(), OFFSET)?;
                let goes_on = build.binary(BinaryOperator::Less, position, count_read)?;
                match kind {
                    ReduceKind::While => ending(build, goes_on, next),
                    _ => build.tuple(vec![goes_on, next]),
                }
            })
        })?;
        let initial = self.in_row(initial, row)?;
        self.built(expr, |build| {
            let nothing = build.literal(Literal::Integer(0), &step)?;
            let steps = build.repeat(of.total, nothing)?;
            let reduced = build.reduce(ReduceKind::While, function, initial, steps)?;
            let bindings = vec![
                Binding { variable: first, value: first_value },
                Binding { variable: count, value: count_value },
            ];
            build.bind_all(bindings, reduced)
        })
    }

    /// `atOr(position, default, elements)`
    fn element_or(
        &mut self,
        expr: &Expr,
        (position, default): (&Arc<Expr>, &Arc<Expr>),
        elements: &Arc<Expr>,
        row: &Nat,
    ) -> Flat<Arc<Expr>> {
        let Some(length) = self.length_of_row(&elements.ty) else {
            return Err((expr.source, RowsMistake::Form(elements.ty.clone())));
        };
        let of = self.delimited(&length, expr)?;
        let wide = Type::Scalar(OFFSET);
        let [asked, begin] = ["k", "first"].map(|name| self.build.variable(name));
        let [in_row, first] = [&asked, &begin].map(|variable| self.build.read(variable, &wide));
        let begins = self.first(&of, row, expr)?;
        let count = self.count(&of, row, first.clone(), expr)?;
        let place = Place::Computed { in_row: in_row.clone(), first };
        let element = self.element(elements, &place)?;
        let zero = self.number(0).map_err(|mismatch| internal(expr.source, &mismatch))?;
        self.built(expr, |build| {
            let position = match position.ty == wide {
                true => position.clone(),
                false => build.cast(OFFSET, position.clone())?,
            };
            let from = build.binary(BinaryOperator::LessOrEqual, zero, in_row.clone())?;
            let to = build.binary(BinaryOperator::Less, in_row, count)?;
            let inside = build.binary(BinaryOperator::And, from, to)?;
            let chosen = build.choice(inside, element, default.clone())?;
            let bindings = vec![
                Binding { variable: asked, value: position },
                Binding { variable: begin, value: begins },
            ];
            build.bind_all(bindings, chosen)
        })
    }
}

/// The step of a loop that ends where its function says so, or where the row does.
fn ending(build: &mut Build<'_>, goes_on: Arc<Expr>, next: Arc<Expr>) -> Built {
    let step = build.variable("next");
    let read = build.read(&step, &next.ty);
    let (own, value) = (build.component(&read, 0)?, build.component(&read, 1)?);
    let goes_on = build.binary(BinaryOperator::And, goes_on, own)?;
    let pair = build.tuple(vec![goes_on, value])?;
    build.bind(step, next, pair)
}
