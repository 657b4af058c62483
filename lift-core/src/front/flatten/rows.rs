//! Arrays of rows, row by row and element by element.

use std::rc::Rc;

use super::index::OFFSET;
use super::row::Place;
use super::{Delimited, Flat, Flattening, RowsMistake, internal, is_rearrangement};
use crate::ir::nat::{Nat, Substitution, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::source::Source;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::{Build, Built, is_read_in_function, uses};
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{
    Binding, Expr, ExprKind, Lambda, MapKind, NodeId, Position, ReduceKind, Requirement, Variable,
};
use crate::ir::types::Type;

/// The most steps of a search: each halves the rows that are left, and positions have 63 bits.
const SEARCH_STEPS: i128 = 64;

/// `segments(offsets, elements)`: rows of this length, `generate(count, |i| generate(length, |k| at(at(i,
/// offsets) + k, elements)))` with these positions `i` and `k`. The parts are names. `fresh` gives out the
/// numbers of nodes.
pub fn segments(
    of: &Delimited,
    length: &Var,
    elements: &Rc<Expr>,
    [row, position]: [Var; 2],
    source: Source,
    fresh: &mut dyn FnMut() -> u32,
) -> Expr {
    let node = |fresh: &mut dyn FnMut() -> u32, kind, ty| Expr { id: NodeId(fresh()), ty, source, kind };
    let element = |array: &Expr| array.ty.as_array().map_or(array.ty.clone(), |of| of.element.clone());
    let wide = Type::Scalar(OFFSET);
    let copy = |fresh: &mut dyn FnMut() -> u32, of: &Rc<Expr>| {
        Rc::new(Expr { id: NodeId(fresh()), source, ..of.as_ref().clone() })
    };
    let offsets = copy(fresh, &of.offsets);
    let offset = ExprKind::At(Position::Size(Nat::variable(&row)), offsets);
    let offset = Rc::new(node(fresh, offset, element(&of.offsets)));
    let offset = Rc::new(node(fresh, ExprKind::Cast(OFFSET, offset), wide.clone()));
    let in_row = Rc::new(node(fresh, ExprKind::Size(Nat::variable(&position)), wide.clone()));
    let place = Rc::new(node(fresh, ExprKind::Binary(BinaryOperator::Add, offset, in_row), wide));
    let array = copy(fresh, elements);
    let of_element = element(elements);
    let read = Rc::new(node(fresh, ExprKind::At(Position::Clamped(place), array), of_element.clone()));
    let length = Nat::variable(length);
    let of_row = Type::array(of_element, length.clone());
    let function = Lambda { parameters: Vec::new(), index: Some(position), body: read };
    let elements = Rc::new(node(fresh, ExprKind::Generate(length, function), of_row.clone()));
    let function = Lambda { parameters: Vec::new(), index: Some(row), body: elements };
    let rows = Type::array(of_row, of.count.clone());
    node(fresh, ExprKind::Generate(of.count.clone(), function), rows)
}

impl Flattening<'_> {
    /// The segments of an array with as many elements as the rows of this length have together.
    pub(super) fn segments_of(&mut self, length: &Var, elements: &Rc<Expr>) -> Flat<Rc<Expr>> {
        let of = self.delimited(length, elements)?;
        let positions = ["i", "k"].map(|name| self.build.index(name));
        let prover = self.build.prover();
        let fresh = &mut || prover.fresh();
        Ok(Rc::new(segments(&of, length, elements, positions, elements.source, fresh)))
    }

    /// Where the rows of a length stand.
    pub(super) fn delimited(&self, length: &Var, place: &Expr) -> Flat<Delimited> {
        let of = self.delimited.get(length).cloned();
        of.ok_or_else(|| (place.source, RowsMistake::Form(place.ty.clone())))
    }

    /// The element of an array of rows at a position. Arrays of other elements are computed before where that
    /// takes reductions of rows.
    fn row(&mut self, rows: &Rc<Expr>, at: &Nat) -> Flat<Rc<Expr>> {
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
                self.built(rows, |build| build.apply_copy(function, Some(at), vec![element]))
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

    /// `map(function, rows)`, where the function gives no rows.
    pub(super) fn for_each_row(
        &mut self,
        kind: MapKind,
        function: &Lambda,
        rows: &Rc<Expr>,
    ) -> Flat<Rc<Expr>> {
        let Some(of) = rows.ty.as_array() else {
            return Err((rows.source, RowsMistake::Form(rows.ty.clone())));
        };
        let count = of.length.clone();
        if kind == MapKind::Unspecified {
            return self.at_symbolic(rows, &count, |this, at| {
                let row = this.row(rows, at)?;
                let value = this.built(rows, |build| build.apply_copy(function, Some(at), vec![row]))?;
                let value = this.bound_before(&value, at, &count, Stored::WhatFunctionsRead)?;
                this.per_row(&value, at, &count)
            });
        }
        let worker = (self.build.variable("row"), Type::Scalar(ScalarType::I32));
        let function = self.at_each(("i", &count), vec![worker], |this, at| {
            let row = this.row(rows, at)?;
            let value = this.built(rows, |build| build.apply_copy(function, Some(at), vec![row]))?;
            this.in_row(&value, at)
        })?;
        self.built(rows, |build| {
            let nothing = build.literal(Literal::Integer(0), &Type::Scalar(ScalarType::I32))?;
            let workers = build.repeat(count, nothing)?;
            build.map(kind, function, workers)
        })
    }

    /// What is computed for the row at a position that stands for all.
    fn at_symbolic<T>(
        &mut self,
        place: &Expr,
        count: &Nat,
        compute: impl FnOnce(&mut Self, &Nat) -> Flat<T>,
    ) -> Flat<T> {
        let index = self.build.index("i");
        let outside = self.build.prover().enter_index(&index, count);
        let computed = compute(self, &Nat::variable(&index));
        let left = self.build.prover().leave_index(outside, &index, count);
        left.map_err(|mismatch| internal(place.source, &mismatch))?;
        computed
    }

    /// A value of the row at a position, for each row. What it reduces is a reduction of segments of its own,
    /// whose results a map combines, so that work-items can share each.
    fn per_row(&mut self, value: &Rc<Expr>, at: &Nat, count: &Nat) -> Flat<Rc<Expr>> {
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
        let reduced = match <[Rc<Expr>; 1]>::try_from(arrays) {
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

    /// The same for the values of `let`s and the body. A reduction that a `let` binds has its variable.
    fn bound_apart(
        &mut self,
        expr: &Expr,
        (bindings, body): (&[Binding], &Rc<Expr>),
        bound: &mut Vec<BoundHere>,
        reductions: &mut Vec<Binding>,
    ) -> Flat<Rc<Expr>> {
        let known = bound.len();
        let mut kept = Vec::new();
        for binding in bindings {
            let value = &binding.value;
            if self.is_reduction(value) && !bound.iter().any(|bound| bound.is_in(value)) {
                reductions.push(binding.clone());
                bound.push(BoundHere::Variable(binding.variable.clone()));
                continue;
            }
            kept.push(binding.with_value(self.reductions_apart(value, bound, reductions)?));
            bound.push(BoundHere::Variable(binding.variable.clone()));
        }
        let body = self.reductions_apart(body, bound, reductions)?;
        bound.truncate(known);
        self.built(expr, |build| build.bind_all(kept, body))
    }

    /// A value of the row at a position, computed by itself for each row.
    fn for_each(&mut self, value: &Rc<Expr>, at: &Nat, count: &Nat) -> Flat<Rc<Expr>> {
        let Some(index) = at.as_variable() else { return Err((value.source, RowsMistake::Position)) };
        let function = self.at_each(("i", count), Vec::new(), |this, row| {
            let value = this.build.copy(value);
            let value = value.substitute(&Substitution::from([(index.clone(), row.clone())]));
            this.in_row(&value, row)
        })?;
        self.built(value, |build| build.generate(count.clone(), function))
    }

    fn is_reduction(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Reduce(_, _, _, row) if self.length_of_row(&row.ty).is_some())
    }

    /// A value whose reductions of the row are variables, where they are always computed and mention nothing
    /// that is `bound` inside of the value.
    fn reductions_apart(
        &mut self,
        expr: &Rc<Expr>,
        bound: &mut Vec<BoundHere>,
        reductions: &mut Vec<Binding>,
    ) -> Flat<Rc<Expr>> {
        if self.is_reduction(expr) && !bound.iter().any(|bound| bound.is_in(expr)) {
            let variable = self.build.variable("reduced");
            reductions.push(Binding { variable: variable.clone(), value: expr.clone() });
            return Ok(self.build.read(&variable, &expr.ty));
        }
        if matches!(expr.kind, ExprKind::If(..)) || expr.application().is_some() {
            return Ok(expr.clone());
        }
        if let ExprKind::Let { bindings, body } = &expr.kind {
            return self.bound_apart(expr, (bindings, body), bound, reductions);
        }
        let known = bound.len();
        bound.extend(BoundHere::by(expr));
        let changed = self.parts(expr, &mut |this, child| this.reductions_apart(child, bound, reductions));
        bound.truncate(known);
        changed
    }

    /// `join(rows)`: an array of the elements of all rows.
    pub(super) fn joined(&mut self, rows: &Rc<Expr>) -> Flat<Rc<Expr>> {
        let (Some(length), Some(of)) = (self.length_of_rows(&rows.ty), rows.ty.as_array()) else {
            return Err((rows.source, RowsMistake::Form(rows.ty.clone())));
        };
        let count = of.length.clone();
        let joined = self.at_symbolic(rows, &count, |this, at| this.joined_at(rows, at, &count, &length))?;
        // That there is a row was known while they were built.
        for length in std::mem::take(&mut self.read_at_rows) {
            let has_elements = Requirement::AtMost(Nat::one(), length);
            self.built(rows, |build| build.need(has_elements, Purpose::ElementExists))?;
        }
        Ok(joined)
    }

    fn joined_at(&mut self, rows: &Rc<Expr>, at: &Nat, count: &Nat, length: &Var) -> Flat<Rc<Expr>> {
        let row = self.row(rows, at)?;
        let row = self.bound_before(&row, at, count, Stored::All)?;
        let row = self.reduced_before(&row, at, count, &mut Vec::new())?;
        self.elements(&row, at, length)
    }

    /// The elements of all rows, where `row` is the one at a position.
    fn elements(&mut self, row: &Rc<Expr>, at: &Nat, length: &Var) -> Flat<Rc<Expr>> {
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
                let numbers = this.numbers_of_rows(length, &of, row)?;
                element = this.built(row, |build| {
                    let value = build.at(place.clone(), numbers)?;
                    build.bind(number, value, element)
                })?;
            }
            Ok(element)
        })?;
        self.built(row, |build| build.generate(of.total, function))
    }

    /// What the `let`s before a row, or before what is computed of a row, bind is computed before all rows: a
    /// table has it for each row, and arrays have the elements of rows that are read several times.
    fn bound_before(&mut self, expr: &Rc<Expr>, at: &Nat, count: &Nat, stored: Stored) -> Flat<Rc<Expr>> {
        let ExprKind::Let { bindings, body } = &expr.kind else { return Ok(expr.clone()) };
        let plans = self.plans(bindings, body, stored);
        let mut kept = Vec::new();
        let mut rest = body.clone();
        let mut values: Vec<Rc<Expr>> = bindings.iter().map(|binding| binding.value.clone()).collect();
        for (position, plan) in plans.into_iter().enumerate() {
            let (variable, value) = (&bindings[position].variable, values[position].clone());
            let replacement = match plan {
                Plan::Kept => {
                    kept.push(Binding { variable: variable.clone(), value });
                    continue;
                }
                Plan::WrittenOut => value,
                Plan::Elements(length) => {
                    let value = self.reduced_before(&value, at, count, &mut Vec::new())?;
                    let elements = self.elements(&value, at, &length)?;
                    let elements = self.hoist(&variable.name, elements);
                    let rows = self.segments_of(&length, &elements)?;
                    self.row(&rows, at)?
                }
                Plan::Table => self.table(&variable.name, &value, at, count)?,
            };
            for later in values.iter_mut().skip(position + 1) {
                *later = later.replace(variable, &replacement);
            }
            rest = rest.replace(variable, &replacement);
        }
        self.built(expr, |build| build.bind_all(kept, rest))
    }

    /// What becomes of the `let`s before a body.
    fn plans(&self, bindings: &[Binding], body: &Rc<Expr>, stored: Stored) -> Vec<Plan> {
        let mut plans = Vec::new();
        // From the last to the first: what is computed before can read only what is, too.
        let mut later = vec![body.clone()];
        let mut before: Vec<Rc<Expr>> = Vec::new();
        for Binding { variable, value } in bindings.iter().rev() {
            let is_shared = later.iter().map(|later| uses(later, variable)).sum::<usize>() > 1;
            let is_needed = stored == Stored::All
                || later.iter().any(|later| is_read_in_function(later, variable))
                || before.iter().any(|earlier| mentions(earlier, variable));
            let plan = match self.length_of_row(&value.ty) {
                Some(length) if is_shared && !is_rearrangement(value) => Plan::Elements(length),
                _ if self.has_rows(&value.ty) => Plan::WrittenOut,
                _ if is_needed && is_cheap(value) => Plan::WrittenOut,
                _ if is_needed => Plan::Table,
                _ => Plan::Kept,
            };
            match plan {
                Plan::Elements(_) | Plan::Table => before.push(value.clone()),
                Plan::WrittenOut | Plan::Kept => {}
            }
            later.push(value.clone());
            plans.push(plan);
        }
        plans.reverse();
        plans
    }

    /// A row whose reductions that are the same for all of its elements are computed before. `bound` are the
    /// variables that its functions bind.
    fn reduced_before(
        &mut self,
        expr: &Rc<Expr>,
        at: &Nat,
        count: &Nat,
        bound: &mut Vec<BoundHere>,
    ) -> Flat<Rc<Expr>> {
        if self.is_reduction(expr) && !bound.iter().any(|bound| bound.is_in(expr)) {
            return self.table("reduced", expr, at, count);
        }
        let known = bound.len();
        bound.extend(BoundHere::by(expr));
        let changed = self.parts(expr, &mut |this, child| this.reduced_before(child, at, count, bound));
        bound.truncate(known);
        changed
    }

    /// A value that depends on a row, computed for each row before it is read.
    fn table(&mut self, name: &str, value: &Rc<Expr>, at: &Nat, count: &Nat) -> Flat<Rc<Expr>> {
        let value = self.bound_before(value, at, count, Stored::WhatFunctionsRead)?;
        let table = self.per_row(&value, at, count)?;
        let table = self.hoist(name, table);
        self.built(&value, |build| build.at(at.clone(), table))
    }

    /// The first position of a row among the elements of all rows.
    pub(super) fn first(&mut self, of: &Delimited, row: &Nat, place: &Expr) -> Flat<Rc<Expr>> {
        let total = of.total.clone();
        let mut first = || -> Built {
            let offset = self.offset_at(of, Position::Size(row.clone()))?;
            let zero = self.number(0)?;
            let total = self.offset(&total)?;
            let offset = self.build.builtin(Builtin::Max, vec![offset, zero])?;
            self.build.builtin(Builtin::Min, vec![offset, total])
        };
        first().map_err(|mismatch| internal(place.source, &mismatch))
    }

    fn offset_at(&mut self, of: &Delimited, position: Position) -> Built {
        let offset = self.build.element(position, of.offsets.clone())?;
        match offset.ty == Type::Scalar(OFFSET) {
            true => Ok(offset),
            false => self.build.cast(OFFSET, offset),
        }
    }

    /// An array that says for each element to which row it belongs.
    fn numbers_of_rows(&mut self, length: &Var, of: &Delimited, place: &Expr) -> Flat<Rc<Expr>> {
        if let Some(known) = self.numbers.last().and_then(|numbers| numbers.get(length)) {
            return Ok(known.clone());
        }
        let function = self.at_each(("p", &of.total), Vec::new(), |this, element| {
            this.search(of, element).map_err(|mismatch| internal(place.source, &mismatch))
        })?;
        let numbers = self.built(place, |build| build.generate(of.total.clone(), function))?;
        let numbers = self.hoist("rows", numbers);
        if let Some(known) = self.numbers.last_mut() {
            known.insert(length.clone(), numbers.clone());
        }
        Ok(numbers)
    }

    /// The last row whose offset, but for the first row, is not behind a position: `reduceWhile(|(low, high),
    /// _| (low < high, { let middle = (low + high + 1) / 2; if at(middle, offsets) <= position { (middle,
    /// high) } else { (low, middle - 1) } }), (0, count - 1), …).0`
    fn search(&mut self, of: &Delimited, position: &Nat) -> Built {
        let wide = Type::Scalar(OFFSET);
        let range = Type::Tuple(vec![wide.clone(), wide]);
        let step = Type::Scalar(ScalarType::I32);
        let middle = self.build.variable("middle");
        let (state, unused) = (self.build.variable("range"), self.build.variable("step"));
        let read = self.build.read(&state, &range);
        let low = self.build.component(&read, 0)?;
        let high = self.build.component(&read, 1)?;
        let goes_on = self.build.binary(BinaryOperator::Less, low.clone(), high.clone())?;
        let (one, two) = (self.number(1)?, self.number(2)?);
        let sum = self.build.binary(BinaryOperator::Add, low.clone(), high.clone())?;
        let sum = self.build.binary(BinaryOperator::Add, sum, one.clone())?;
        let half = self.build.binary(BinaryOperator::Divide, sum, two)?;
        let read_middle = self.build.read(&middle, &half.ty);
        let offset = self.offset_at(of, Position::Clamped(read_middle.clone()))?;
        let place = self.offset(position)?;
        let is_before = self.build.binary(BinaryOperator::LessOrEqual, offset, place)?;
        let above = self.build.tuple(vec![read_middle.clone(), high])?;
        let last = self.build.binary(BinaryOperator::Subtract, read_middle, one)?;
        let below = self.build.tuple(vec![low, last])?;
        let next = self.build.choice(is_before, above, below)?;
        let next = self.build.bind(middle, half, next)?;
        let body = self.build.tuple(vec![goes_on, next])?;
        let parameters = vec![(state, range), (unused, step.clone())];
        let function = Lambda { parameters, index: None, body };
        let (zero, last) = (self.number(0)?, self.offset(&(&of.count - Nat::one()))?);
        let all = self.build.tuple(vec![zero, last])?;
        let nothing = self.build.literal(Literal::Integer(0), &step)?;
        let steps = self.build.repeat(Nat::constant(SEARCH_STEPS), nothing)?;
        let found = self.build.reduce(ReduceKind::While, function, all, steps)?;
        self.build.component(&found, 0)
    }

    /// A component of a tuple of rows and other values.
    pub(super) fn component(&mut self, tuple: &Rc<Expr>, position: usize) -> Flat<Rc<Expr>> {
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

/// The `let`s of a function of rows whose values are computed before all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    /// All: elements read them.
    All,
    /// Rows that are read several times, and values that a function reads, which would compute them again.
    WhatFunctionsRead,
}

/// What becomes of a `let`.
enum Plan {
    /// It stays.
    Kept,
    /// Its value stands where its variable stood.
    WrittenOut,
    /// The elements of its rows, which have this length, are computed before.
    Elements(Var),
    /// Its values for all rows are computed before.
    Table,
}

/// A variable or a position that a function binds.
enum BoundHere {
    Variable(Variable),
    Position(Var),
}

impl BoundHere {
    /// What an expression binds in its parts.
    fn by(expr: &Expr) -> Vec<BoundHere> {
        let function = expr.application().map(|application| application.function());
        let parameters = function.into_iter().flat_map(|function| &function.parameters);
        let mut bound: Vec<BoundHere> =
            parameters.map(|(variable, _)| BoundHere::Variable(variable.clone())).collect();
        bound.extend(function.and_then(|function| function.index.clone()).map(BoundHere::Position));
        if let ExprKind::Let { bindings, .. } = &expr.kind {
            bound.extend(bindings.iter().map(|binding| BoundHere::Variable(binding.variable.clone())));
        }
        bound
    }

    fn is_in(&self, expr: &Rc<Expr>) -> bool {
        match self {
            BoundHere::Variable(variable) => mentions(expr, variable),
            BoundHere::Position(index) => expr.mentions_index(index),
        }
    }
}

/// Whether it takes no more to compute a value again than to read it.
fn is_cheap(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Size(_) => true,
        ExprKind::Component(of, _) | ExprKind::At(Position::Size(_), of) => is_cheap(of),
        ExprKind::Tuple(parts) | ExprKind::Zip(parts) => parts.iter().all(|part| is_cheap(part)),
        ExprKind::Unary(_, of) | ExprKind::Cast(_, of) => is_cheap(of),
        _ => false,
    }
}
