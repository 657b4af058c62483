//! What is computed before rows: values that several of their elements read, for each row, and elements that
//! are read several times.

use std::sync::Arc;

use super::{Flat, Flattening, is_rearrangement};
use crate::ir::nat::{Nat, Var};
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::{is_read_in_function, uses};
use crate::ir::typed::{Binding, Expr, ExprKind, Position, Variable};

/// The `let`s of a function of rows whose values are computed before all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
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

impl Flattening<'_> {
    /// What the `let`s before a row, or before what is computed of a row, bind is computed before all rows: a
    /// table has it for each row, and arrays have the elements of rows that are read several times.
    pub(super) fn bound_before(
        &mut self,
        expr: &Arc<Expr>,
        at: &Nat,
        count: &Nat,
        stored: Stored,
    ) -> Flat<Arc<Expr>> {
        let ExprKind::Let { bindings, body } = &expr.kind else { return Ok(expr.clone()) };
        let bindings = &self.parts_named(bindings)?;
        let plans = self.plans(bindings, body, stored);
        let mut kept = Vec::new();
        let mut rest = body.clone();
        let mut values: Vec<Arc<Expr>> = bindings.iter().map(|binding| binding.value.clone()).collect();
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

    /// The `let`s, where each part of a tuple with rows has one.
    fn parts_named(&mut self, bindings: &[Binding]) -> Flat<Vec<Binding>> {
        let mut named = Vec::new();
        for binding in bindings {
            let value = match self.has_rows(&binding.value.ty) {
                true => self.with_names(&binding.value, &mut named)?,
                false => binding.value.clone(),
            };
            named.push(binding.with_value(value));
        }
        Ok(named)
    }

    /// What becomes of the `let`s before a body.
    fn plans(&self, bindings: &[Binding], body: &Arc<Expr>, stored: Stored) -> Vec<Plan> {
        let mut plans = Vec::new();
        // From the last to the first: what is computed before can read only what is, too.
        let mut later = vec![body.clone()];
        let mut before: Vec<Arc<Expr>> = Vec::new();
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
                // What is written out may be so in what is computed before.
                Plan::Elements(_) | Plan::Table | Plan::WrittenOut => before.push(value.clone()),
                Plan::Kept => {}
            }
            later.push(value.clone());
            plans.push(plan);
        }
        plans.reverse();
        plans
    }

    /// A row whose reductions that are the same for all of its elements are computed before. `bound` are the
    /// variables that its functions bind.
    pub(super) fn reduced_before(
        &mut self,
        expr: &Arc<Expr>,
        at: &Nat,
        count: &Nat,
        bound: &mut Vec<BoundHere>,
    ) -> Flat<Arc<Expr>> {
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
    fn table(&mut self, name: &str, value: &Arc<Expr>, at: &Nat, count: &Nat) -> Flat<Arc<Expr>> {
        let value = self.bound_before(value, at, count, Stored::WhatFunctionsRead)?;
        let table = self.per_row(&value, at, count)?;
        let table = self.hoist(name, table);
        self.built(&value, |build| build.at(at.clone(), table))
    }

    pub(super) fn is_reduction(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Reduce(_, _, _, row) if self.length_of_row(&row.ty).is_some())
    }

    /// A value whose reductions of the row are variables, where they are always computed and mention nothing
    /// that is `bound` inside of the value.
    pub(super) fn reductions_apart(
        &mut self,
        expr: &Arc<Expr>,
        bound: &mut Vec<BoundHere>,
        reductions: &mut Vec<Binding>,
    ) -> Flat<Arc<Expr>> {
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

    /// The same for the values of `let`s and the body. A reduction that a `let` binds has its variable.
    fn bound_apart(
        &mut self,
        expr: &Expr,
        (bindings, body): (&[Binding], &Arc<Expr>),
        bound: &mut Vec<BoundHere>,
        reductions: &mut Vec<Binding>,
    ) -> Flat<Arc<Expr>> {
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
}

/// A variable or a position that a function binds.
pub(super) enum BoundHere {
    /// A variable.
    Variable(Variable),
    /// A position.
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

    fn is_in(&self, expr: &Arc<Expr>) -> bool {
        match self {
            BoundHere::Variable(variable) => mentions(expr, variable),
            BoundHere::Position(index) => expr.mentions_index(index),
        }
    }
}

/// Whether it takes no more to compute a value again than to read it.
pub(super) fn is_cheap(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Size(_) => true,
        ExprKind::Component(of, _) | ExprKind::At(Position::Size(_), of) => is_cheap(of),
        ExprKind::Tuple(parts) | ExprKind::Zip(parts) => parts.iter().all(|part| is_cheap(part)),
        ExprKind::Unary(_, of) | ExprKind::Cast(_, of) => is_cheap(of),
        _ => false,
    }
}
