//! Flattening: rows whose lengths only data knows become flat arrays.
//!
//! `segments(offsets, xs)` is an array of rows, whose length is a variable that no launch knows: that of row
//! `i` is `offsets[i + 1] - offsets[i]`. Later stages know no such lengths. So what computes with these rows
//! becomes computations with arrays of known lengths (the flattening of Blelloch, *Vector Models for
//! Data-Parallel Computing*, MIT Press 1990, chapter 10, for one level of nesting):
//!
//! - what has no rows as elements, `rows >> map(|row| row >> reduce(f, z))`, is computed for each row, and its
//!   reductions are loops from the first element of the row to its last;
//! - what is joined, `rows >> map(|row| row >> map(f)) >> join`, is computed for each element of `xs`. A
//!   search in the offsets finds the row of an element. What such a function reduces is computed for each row
//!   before, and read by the elements.
//!
//! Guarantees that no size or type of the program mentions the length of such a row, or says what cannot be
//! flattened. What a `let` binds outside of the functions of rows, or first in such a function, is computed
//! once. A row that a `let` binds deeper, in a branch or in a function of elements, is computed where it is
//! read.
//!
//! `rows` takes arrays of rows apart, `row` computes with the elements of one row, `before` decides what is
//! computed before rows, `search` finds the row of an element, `index` lets its number come from data.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ir::nat::{Nat, Ranges, Var};
use crate::ir::source::Source;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::{Build, uses};
use crate::ir::typed::result::{Demand, Mismatch, Need};
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, Layout, Obligation, Program, Variable};
use crate::ir::types::Type;

mod before;
mod error;
mod index;
mod row;
mod rows;
mod search;

pub use error::RowsMistake;
pub use rows::segments;

/// Where rows stand among the elements of all of them.
#[derive(Debug, Clone)]
pub struct Delimited {
    /// The offsets: a name, or a component of one.
    pub offsets: Arc<Expr>,
    /// The number of rows.
    pub count: Nat,
    /// The number of elements of all rows.
    pub total: Nat,
}

/// A mistake, and where it is.
pub type Fault = (Source, RowsMistake);

type Flat<T> = Result<T, Fault>;

/// What becomes of a part of an expression.
type Change<'c, F> = dyn FnMut(&mut F, &Arc<Expr>) -> Flat<Arc<Expr>> + 'c;

/// Flattens a program, where variables that are lengths of rows are `delimited`. `known` is what is known of
/// its sizes.
///
/// # Errors
/// What cannot be flattened, and the result or a parameter that is an array of such rows.
pub fn flatten(program: Program, delimited: BTreeMap<Var, Delimited>, known: Ranges) -> Flat<Program> {
    let body = &program.body;
    if delimited.keys().any(|length| body.ty.mentions(length)) {
        return Err((body.source, RowsMistake::Result(body.ty.clone())));
    }
    let build = Build::new(&program, known, body, std::iter::empty(), program.next_id);
    let mut flattening = Flattening {
        build,
        delimited,
        definitions: BTreeMap::new(),
        hoisted: Vec::new(),
        starts: Vec::new(),
        active: Vec::new(),
        read_at_rows: Vec::new(),
    };
    let flat = flattening.outside(body)?;
    if let Some(rest) = flattening.remainder(&flat) {
        return Err((rest.source, RowsMistake::Form(rest.ty.clone())));
    }
    // Parts that stand in several places bind what they bind once in each.
    let flat = flattening.build.copy(&without_unused(&flat));
    let (needs, next_id) = flattening.build.finish().map_err(|mismatch| internal(body.source, &mismatch))?;
    let sizes: BTreeSet<&Var> = program.sizes.iter().map(|size| &size.variable).collect();
    let obligation = |Demand { need, source }| {
        let Need { requirement, .. } = need;
        let text = format!("`join` of `segments` needs `{requirement}`, so that elements have rows");
        match requirement.mentions_only(&|size| sizes.contains(size)) {
            true => Ok(Obligation { requirement, text, source }),
            false => Err((source, RowsMistake::Internal(text))),
        }
    };
    let obligations = needs.into_iter().map(obligation).collect::<Flat<Vec<_>>>()?;
    let mut flat = program.with_body(flat, next_id);
    flat.obligations.extend(obligations);
    Ok(flat)
}

/// Computes with known lengths what computes with rows.
struct Flattening<'p> {
    build: Build<'p>,
    delimited: BTreeMap<Var, Delimited>,
    /// What arrays of rows that a `let` binds are, by the variable.
    definitions: BTreeMap<u32, Arc<Expr>>,
    /// What is computed before the expressions that are flattened now, outermost first.
    hoisted: Vec<Vec<Binding>>,
    /// The rows in which a search begins, for the lengths of the rows, as `hoisted`.
    starts: Vec<BTreeMap<Var, Arc<Expr>>>,
    /// The lengths of the rows whose functions are flattened now.
    active: Vec<Var>,
    /// The lengths of arrays in which elements read at the number of their row.
    read_at_rows: Vec<Nat>,
}

impl Flattening<'_> {
    /// The variable that is the length of the rows of an array of rows.
    fn length_of_rows(&self, rows: &Type) -> Option<Var> {
        let row = &rows.as_array().filter(|of| of.index.is_none())?.element;
        let length = self.length_of_row(row)?;
        (!row.as_array()?.element.mentions(&length)).then_some(length)
    }

    /// The variable that is the length of a row.
    fn length_of_row(&self, row: &Type) -> Option<Var> {
        let length = row.as_array().filter(|of| of.index.is_none())?.length.as_variable()?;
        self.delimited.contains_key(length).then(|| length.clone())
    }

    /// Whether a type mentions the length of a row.
    fn has_rows(&self, ty: &Type) -> bool {
        self.delimited.keys().any(|length| ty.mentions(length))
    }

    /// Whether an expression mentions it somewhere.
    fn computes_with_rows(&self, expr: &Arc<Expr>) -> bool {
        self.delimited.keys().any(|length| expr.mentions_index(length))
    }

    /// An innermost expression that still computes with rows.
    fn remainder(&self, expr: &Arc<Expr>) -> Option<Arc<Expr>> {
        if !self.computes_with_rows(expr) {
            return None;
        }
        let below = expr.children().find_map(|child| self.remainder(child));
        below.or_else(|| Some(expr.clone()))
    }

    /// An expression outside of all functions of rows, which is no row and has none.
    fn outside(&mut self, expr: &Arc<Expr>) -> Flat<Arc<Expr>> {
        if !self.computes_with_rows(expr) && !self.reads_definition(expr) {
            return Ok(expr.clone());
        }
        match &expr.kind {
            ExprKind::Let { bindings, body } => {
                let bindings = self.definitions(bindings, body)?;
                let body = self.outside(body)?;
                self.built(expr, |build| build.bind_all(bindings, body))
            }
            ExprKind::Layout(Layout::Join, rows) if self.length_of_rows(&rows.ty).is_some() => {
                self.hoisting(expr, |this| this.joined(rows))
            }
            ExprKind::Map(kind, function, rows) if self.has_rows(&rows.ty) => {
                self.hoisting(expr, |this| this.for_each_row(*kind, function, rows))
            }
            _ => self.parts(expr, &mut |this, child| match this.has_rows(&child.ty) {
                true => Err(refused(expr, child)),
                false => this.outside(child),
            }),
        }
    }

    /// Whether an expression reads an array of rows that a `let` binds.
    fn reads_definition(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Variable(read) => self.definitions.contains_key(&read.id),
            _ => expr.children().any(|child| self.reads_definition(child)),
        }
    }

    /// The same expression with each of its parts changed.
    fn parts(&mut self, expr: &Arc<Expr>, change: &mut Change<'_, Self>) -> Flat<Arc<Expr>> {
        let mut fault = None;
        let changed = expr.with_children(&mut |child| {
            if fault.is_some() {
                return child.clone();
            }
            change(self, child).unwrap_or_else(|found| {
                fault = Some(found);
                child.clone()
            })
        });
        fault.map_or(Ok(changed), Err)
    }

    /// Flattens an expression, with what has to be computed before.
    fn hoisting(
        &mut self,
        expr: &Expr,
        flatten: impl FnOnce(&mut Self) -> Flat<Arc<Expr>>,
    ) -> Flat<Arc<Expr>> {
        self.hoisted.push(Vec::new());
        self.starts.push(BTreeMap::new());
        let flat = flatten(self);
        self.starts.pop();
        let before = self.hoisted.pop().unwrap_or_default();
        let flat = flat?;
        self.built(expr, |build| build.bind_all(before, flat))
    }

    /// A value that is computed before the expression that is flattened now.
    fn hoist(&mut self, name: &str, value: Arc<Expr>) -> Arc<Expr> {
        let variable = self.build.variable(name);
        let read = self.build.read(&variable, &value.ty);
        if let Some(before) = self.hoisted.last_mut() {
            before.push(Binding { variable, value });
        }
        read
    }

    /// The `let`s before a body that bind no arrays of rows. Arrays of rows become `definitions`. One that is
    /// computed and read several times is the segments of its elements, which are computed before.
    fn definitions(&mut self, bindings: &[Binding], body: &Expr) -> Flat<Vec<Binding>> {
        let mut kept = Vec::new();
        for (position, Binding { variable, value }) in bindings.iter().enumerate() {
            if !self.has_rows(&value.ty) {
                let value = self.outside(value)?;
                kept.push(Binding { variable: variable.clone(), value });
                continue;
            }
            let later = bindings.iter().skip(position + 1).map(|binding| uses(&binding.value, variable));
            let is_shared = later.sum::<usize>() + uses(body, variable) > 1;
            let definition = match self.length_of_rows(&value.ty) {
                Some(length) if is_shared && !is_rearrangement(value) => {
                    let elements = self.hoisting(value, |this| this.joined(value))?;
                    let stored = self.build.variable(&variable.name);
                    let read = self.build.read(&stored, &elements.ty);
                    kept.push(Binding { variable: stored, value: elements });
                    self.segments_of(&length, &read)?
                }
                _ => value.clone(),
            };
            self.definitions.insert(variable.id, definition);
        }
        Ok(kept)
    }

    /// What `build` builds for an expression.
    fn built<T>(
        &mut self,
        expr: &Expr,
        build: impl FnOnce(&mut Build<'_>) -> Result<T, Mismatch>,
    ) -> Flat<T> {
        self.build.stand_at(expr.source);
        build(&mut self.build).map_err(|mismatch| internal(expr.source, &mismatch))
    }

    /// A function of a position below a count.
    fn at_each(
        &mut self,
        (name, count): (&str, &Nat),
        parameters: Vec<(Variable, Type)>,
        body: impl FnOnce(&mut Self, &Nat) -> Flat<Arc<Expr>>,
    ) -> Flat<Lambda> {
        let index = self.build.index(name);
        let outside = self.build.prover().enter_index(&index, count);
        let body = body(self, &position_of(&index, count));
        let left = self.build.prover().leave_index(outside, &index, count);
        let body = body?;
        left.map_err(|mismatch| internal(body.source, &mismatch))?;
        Ok(Lambda { parameters, index: Some(index), body })
    }
}

/// The position that an index below `count` is. The only one is 0, as inference makes it.
fn position_of(index: &Var, count: &Nat) -> Nat {
    if *count == Nat::one() { Nat::zero() } else { Nat::variable(index) }
}

/// What does not take rows: an expression, or the part of it that makes rows of others.
fn refused(expr: &Expr, part: &Expr) -> Fault {
    let refused = match &part.kind {
        ExprKind::Layout(..)
        | ExprKind::Concat(_)
        | ExprKind::At(..)
        | ExprKind::PadConstant { .. }
        | ExprKind::Scan(..)
        | ExprKind::Iterate(..)
        | ExprKind::Store(..) => part,
        _ => expr,
    };
    (refused.source, RowsMistake::of_form(refused))
}

/// Whether an array of rows, or a row, only says where elements are.
fn is_rearrangement(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Zip(parts) | ExprKind::Tuple(parts) => parts.iter().all(|part| is_rearrangement(part)),
        ExprKind::Unzip(of) | ExprKind::Component(of, _) | ExprKind::At(_, of) => is_rearrangement(of),
        ExprKind::Generate(_, function) => is_rearrangement(&function.body),
        _ => false,
    }
}

/// An expression without the `let`s that nothing uses, such as those of offsets that nothing reads.
fn without_unused(expr: &Arc<Expr>) -> Arc<Expr> {
    let expr = expr.with_children(&mut |child| without_unused(child));
    let ExprKind::Let { bindings, body } = &expr.kind else { return expr };
    let mut used: Vec<Binding> = Vec::new();
    for binding in bindings.iter().rev() {
        let is_read = |expr: &Expr| mentions(expr, &binding.variable);
        if is_read(body) || used.iter().any(|later| is_read(&later.value)) {
            used.push(binding.clone());
        }
    }
    used.reverse();
    expr.with_kind(ExprKind::bound(used, body.clone()))
}

/// Whether two names are the same: of variables, or of their components.
pub fn is_same_name(left: &Expr, right: &Expr) -> bool {
    match (&left.kind, &right.kind) {
        (ExprKind::Variable(left), ExprKind::Variable(right)) => left.id == right.id,
        (ExprKind::Component(left, first), ExprKind::Component(right, second)) => {
            first == second && is_same_name(left, right)
        }
        _ => false,
    }
}

fn internal(source: Source, mismatch: &Mismatch) -> Fault {
    if let Mismatch::Refuted(need) = mismatch {
        return (source, RowsMistake::Refuted(need.requirement.to_string()));
    }
    (source, RowsMistake::Internal(mismatch.to_string()))
}
