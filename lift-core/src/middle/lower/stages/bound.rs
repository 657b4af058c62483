//! What `let`s bind: outside of all functions, and in scopes.

use std::sync::Arc;

use super::Stages;
use super::tree::To;
use crate::ir::typed::{Binding, Expr, ExprKind, Variable};
use crate::middle::lower::context::{Context, Depth};
use crate::middle::lower::kernel_ends::{Boundaries, is_complete_before_use};
use crate::middle::lower::multiplicity::Multiplicity;
use crate::middle::lower::reduction::divided_reductions;
use crate::middle::lower::workers::{workers, workers_of_result};
use crate::middle::rewrite::rules::{REMOVE_STORE, STORE_VALUE};
use crate::middle::rewrite::{Failure, Rewriter};

impl Stages<'_, '_> {
    /// A `let` outside of all functions, with its body.
    pub(super) fn bound_to_whole(&mut self, bindings: &[Binding], body: &Arc<Expr>) -> Result<(), Failure> {
        let is_whole = self.tree.is_at_stages();
        if !is_whole {
            // It is a component of a tuple.
            self.tree.float(&[], To::Stages)?;
        }
        for (binding, times) in bindings.iter().zip(self.counting.times_of_bound(bindings, body)) {
            let part = self.stage_of(&binding.variable);
            self.tree.begin_stage(part);
            self.bound(times, &binding.value)?;
            self.tree.end();
        }
        match (is_whole, bindings.last()) {
            (true, Some(last)) => self.tree.begin_stage(self.stage_of(&last.variable) + 1),
            _ => self.tree.begin_whole(&[]),
        }
        self.whole(body)?;
        self.tree.end();
        self.stored_for_other_kernels(bindings, is_whole)
    }

    /// Stores the values of these `let`s that later kernels need, last ones first. `is_whole` says whether
    /// their body is the body of the `let` of the stages.
    fn stored_for_other_kernels(&mut self, bindings: &[Binding], is_whole: bool) -> Result<(), Failure> {
        let Some(last) = bindings.last() else { return Ok(()) };
        let body = match is_whole {
            true => self.after_stage(self.stage_of(&last.variable)),
            false => self.tree.expr(),
        };
        let mut other_kernels_follow = self.takes_several_kernels(&body);
        let mut later = vec![body];
        for (position, Binding { variable, .. }) in bindings.iter().enumerate().rev() {
            let part = self.stage_of(variable);
            let before = position.checked_sub(1).and_then(|before| bindings.get(before));
            let start = before.map_or(0, |before| self.stage_of(&before.variable) + 1);
            let Some(value) = self.stages().get(part).map(|own| own.value.clone()) else { continue };
            let is_stored = other_kernels_follow && self.is_for_other_kernels(variable, &value, later.iter());
            if is_stored {
                self.tree.begin_stage(part);
                match value.ty.is_element() {
                    true => self.stored_value(&value, &STORE_VALUE)?,
                    false => self.stored_array(&value)?,
                }
                self.tree.end();
            }
            let own = self.stages();
            let own = own.iter().take(self.stage_of(variable) + 1).skip(start);
            let own: Vec<Arc<Expr>> = own.map(|own| own.value.clone()).collect();
            other_kernels_follow |= own.iter().any(|part| self.is_complete_before_use(part));
            later.splice(0..0, own);
        }
        Ok(())
    }

    /// The stages so far, and what else is bound with them.
    fn stages(&self) -> Vec<Binding> {
        match &self.tree.around_stages().kind {
            ExprKind::Let { bindings, .. } => bindings.clone(),
            _ => Vec::new(),
        }
    }

    /// The position of a variable among the stages.
    fn stage_of(&self, variable: &Variable) -> usize {
        position_of(variable, &self.tree.around_stages())
    }

    /// What stands behind a stage.
    fn after_stage(&self, part: usize) -> Arc<Expr> {
        let stages = self.tree.around_stages();
        match &stages.kind {
            ExprKind::Let { bindings, body } => {
                let later: Vec<Binding> = bindings.iter().skip(part + 1).cloned().collect();
                if later.is_empty() {
                    body.clone()
                } else {
                    stages.with_kind(ExprKind::bound(later, body.clone()))
                }
            }
            _ => stages,
        }
    }

    /// Whether an expression that is written to memory takes several kernels, once it is lowered.
    fn takes_several_kernels(&self, expr: &Arc<Expr>) -> bool {
        Boundaries::of(self.program).ends_kernels(&self.with_workers(expr))
    }

    /// What an expression that is written to memory becomes, once its reductions are divided and its maps
    /// have workers.
    fn with_workers(&self, expr: &Arc<Expr>) -> Arc<Expr> {
        let mut rewriter = Rewriter::of_body(self.program, expr.clone(), self.tree.next_id());
        // A step that does not apply here does not apply in the end, where that is an error.
        let _ = rewriter.run(&divided_reductions(expr, self.program, self.tables));
        let _ = rewriter.run(&match self.taken_at_its_word {
            true => workers_of_result(rewriter.body(), self.program),
            false => workers(rewriter.body(), self.program),
        });
        rewriter.body().clone()
    }

    /// Whether a kernel ends after the value of a `let` outside of all functions, if something else reads it.
    pub(super) fn is_complete_before_use(&self, value: &Expr) -> bool {
        let is_stage = !self.taken_at_its_word && matches!(value.kind, ExprKind::Store(None, _));
        is_stage || is_complete_before_use(value)
    }

    /// The value of a `let` outside of all functions.
    fn bound(&mut self, times: Multiplicity, value: &Arc<Expr>) -> Result<(), Failure> {
        let context = Context::outside_functions(times);
        if let ExprKind::Store(None, stored) = &value.kind
            && !self.taken_at_its_word
        {
            self.tree.enter(0);
            self.written(stored)?;
            self.tree.leave();
            return Ok(());
        }
        match self.division(value, &context) {
            Some(division) => self.divided_scan_of_let(value, division),
            None if self.is_worth_storing(value, &context) => self.stored_array(value),
            None => self.lift(value, &context),
        }
    }

    /// A `let` in an expression, with its body.
    pub(super) fn bound_in_scope(
        &mut self,
        bindings: &[Binding],
        body: &Arc<Expr>,
        context: &Context,
    ) -> Result<(), Failure> {
        let last_scan = self.number_before_last_scan(bindings, body);
        let mut context = context.clone();
        let scopes = context.depth();
        for (position, (binding, times)) in
            bindings.iter().zip(self.counting.times_of_bound(bindings, body)).enumerate()
        {
            let value = &binding.value;
            if context.is_outside_functions() && position < last_scan {
                self.begin_moved(&binding.variable, To::Stages)?;
                self.bound(times, value)?;
                self.tree.end();
                continue;
            }
            let inner = context.of_bound(times);
            if self.is_worth_storing(value, &inner)
                && context.is_closed(value)
                && self.may_move(&binding.variable, To::Stages)
            {
                self.begin_moved(&binding.variable, To::Stages)?;
                match self.division(value, &inner) {
                    Some(division) => self.divided_scan_of_let(value, division)?,
                    None => self.stored_array(value)?,
                }
                self.tree.end();
                continue;
            }
            self.bound_at_home(binding, &inner, &mut context)?;
        }
        let end = self.tree.expr();
        match &end.kind {
            ExprKind::Let { bindings, .. } => {
                self.tree.enter(bindings.len());
                self.lift(body, &context)?;
                self.tree.leave();
            }
            _ => self.lift(body, &context)?,
        }
        self.tree.end_scopes(scopes);
        Ok(())
    }

    /// The number of `let`s before the last expression that holds a scan that is divided.
    fn number_before_last_scan(&self, bindings: &[Binding], body: &Expr) -> usize {
        if self.holds_divided_scan(body) {
            return bindings.len();
        }
        bindings.iter().rposition(|binding| self.holds_divided_scan(&binding.value)).unwrap_or(0)
    }

    /// A `let` in a scope: it stays, or moves to the scope where its value is kept. `inner` is the context of
    /// the value; `context` is that of what follows.
    fn bound_at_home(
        &mut self,
        binding: &Binding,
        inner: &Context,
        context: &mut Context,
    ) -> Result<(), Failure> {
        let Binding { variable, value } = binding;
        let (home, stored) = match &value.kind {
            ExprKind::Store(None, stored) if !self.taken_at_its_word => (context.home(stored), Some(stored)),
            _ => (self.home_of_repeated(value, inner), None),
        };
        let is_further_out = |home: &Depth| home.0 + 1 < context.depth();
        let outer = home.filter(is_further_out).filter(|home| self.may_move(variable, To::Scope(*home)));
        // What may not move is kept where it stands.
        let home = home.map(|home| outer.unwrap_or(home.max(context.innermost())));
        match outer {
            Some(outer) => self.begin_moved(variable, To::Scope(outer))?,
            None => self.tree.enter(position_of(variable, &self.tree.expr())),
        }
        match (home, stored) {
            (Some(home), Some(stored)) => {
                self.tree.enter(0);
                self.inside(stored, &inner.at(home))?;
                self.tree.leave();
            }
            (Some(home), None) => self.kept(value, &inner.at(home))?,
            (None, Some(stored)) => {
                self.tree.apply(&REMOVE_STORE)?;
                self.lift(stored, inner)?;
            }
            (None, None) => self.lift(value, inner)?,
        }
        match outer {
            Some(outer) => {
                self.tree.end();
                context.bind_in(outer, variable);
            }
            None => {
                self.tree.leave();
                self.tree.begin_scope(position_of(variable, &self.tree.expr()) + 1);
                *context = context.after(variable);
            }
        }
        Ok(())
    }

    /// Whether a variable of the `let` here may be bound further outside.
    fn may_move(&self, variable: &Variable, to: To) -> bool {
        let part = position_of(variable, &self.tree.expr());
        self.tree.may_float(&[part], to, &self.counting.ranges)
    }

    /// Moves a variable of the `let` here, and begins a walk in its value.
    fn begin_moved(&mut self, variable: &Variable, to: To) -> Result<(), Failure> {
        let part = position_of(variable, &self.tree.expr());
        let part = self.tree.float(&[part], to)?;
        self.tree.begin_floated(to, part);
        Ok(())
    }
}

/// The position of a variable in a `let` that binds it.
fn position_of(variable: &Variable, expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Let { bindings, .. } => {
            bindings.iter().position(|binding| binding.variable.id == variable.id).unwrap_or(0)
        }
        _ => 0,
    }
}
