//! Separates stages: what the whole device must have computed before anything that needs it can start.
//!
//! A reduction of a whole array whose value other work-items need (`a >> map(|x| x / reduce(add, 0, a))`) is
//! computed once, by kernels of its own, and lies in global memory for its readers. Otherwise every work-item
//! would repeat it. A reduction moves out of all functions whose parameters and positions it does not
//! mention. Short reductions of a known length stay where they are.
//!
//! Delayed arrays that are too expensive to recompute become stages, too (`cost`): the product `a * x` in
//! `a^T * (a * x)`, which every work-item would compute as a whole, or the rows of a separated convolution,
//! which the columns read 17 times. The result of an `iterate` is always stored, as are the arrays between
//! its applications. An application may take several kernels, so it has stages like a program.
//!
//! One walk decides, outer expressions first, with the scopes around in view. It applies what it decides at
//! once: what has become a stage is a read for whatever is decided next. The steps are `letFloat` for what is
//! computed further outside; `storeBetween` and `storeValue` for what is stored there; `scanByTiles` for
//! scans, `scanRowsByTiles` and `scanRowsInGroups` for those of rows, and `mapLetFission` for maps whose
//! functions keep arrays (`fission`). These leave `let`s that float.

mod bound;
mod iterations;
mod scans;
mod split;
mod tree;
mod worth;

use std::sync::Arc;

use self::tree::{To, Tree};
use crate::ir::typed::{Expr, ExprKind, Program};
use crate::middle::lower::context::{Context, Destination};
use crate::middle::lower::cooperation::{Cooperation, SharingRowScans, Tables};
use crate::middle::lower::fission::is_split;
use crate::middle::lower::hierarchy::uses_hierarchy;
use crate::middle::lower::multiplicity::Multiplicity;
use crate::middle::lower::producers::takes_a_loop;
use crate::middle::lower::reads::Counting;
use crate::middle::lower::reduction::divided_reductions;
use crate::middle::lower::workers::workers_of_result;
use crate::middle::rewrite::rules::{
    GENERATE_MAP, REMOVE_STORE, STORE_BETWEEN, STORE_REDUCTION, STORE_SCAN, STORE_TO_GLOBAL,
};
use crate::middle::rewrite::{Failure, Rewriter, Rule, Strategy};

/// Separates the stages of a program; see the module documentation. Each is a `store` outside of all
/// functions, whose workers are still open.
///
/// # Errors
/// Where a step does not apply that was decided. That is a fault of the compiler.
pub(super) fn separate_stages<'p>(
    rewriter: &mut Rewriter<'p>,
    program: &'p Program,
    cooperation: &Cooperation,
) -> Result<(), Failure> {
    let body = rewriter.body().clone();
    let mut stages = Stages {
        program,
        tables: cooperation.tables,
        row_scans: cooperation.row_scans,
        counting: Counting::new(program.ranges()),
        taken_at_its_word: uses_hierarchy(&body),
        tree: Tree::new(rewriter),
    };
    stages.whole(&body)
}

struct Stages<'r, 'p> {
    program: &'p Program,
    tables: Tables,
    row_scans: SharingRowScans,
    counting: Counting,
    taken_at_its_word: bool,
    /// The program as it is now. Its walk is at the expression that is decided about.
    tree: Tree<'r, 'p>,
}

impl Stages<'_, '_> {
    /// An expression outside of all functions. The stages of all components of a tuple come before the
    /// first component, because its kernel may also compute the others.
    fn whole(&mut self, expr: &Arc<Expr>) -> Result<(), Failure> {
        match &expr.kind {
            ExprKind::Let { bindings, body } => self.bound_to_whole(bindings, body),
            ExprKind::Tuple(parts) => parts.iter().enumerate().try_for_each(|(position, part)| {
                self.tree.enter(position);
                self.whole(part)?;
                self.tree.leave();
                Ok(())
            }),
            ExprKind::EndUnless(condition, value) => {
                self.tree.enter(0);
                self.lift(condition, &Context::outside_functions(Multiplicity::ONCE))?;
                self.tree.leave();
                self.tree.enter(1);
                self.whole(value)?;
                self.tree.leave();
                Ok(())
            }
            // A result is stored in any case.
            ExprKind::Store(None, value) if !self.taken_at_its_word => {
                self.tree.apply(&REMOVE_STORE)?;
                self.whole(value)
            }
            ExprKind::Reduce(..) => self.inside(expr, &Context::outside_functions(Multiplicity::ONCE)),
            ExprKind::Iterate(..) => self.applied_by_device(expr),
            _ => self.lift(expr, &Context::of_produced()),
        }
    }

    /// An expression in which everything that becomes a stage, or is kept in a scope around, is replaced by a
    /// read.
    fn lift(&mut self, expr: &Arc<Expr>, context: &Context) -> Result<(), Failure> {
        if let ExprKind::Store(None, value) = &expr.kind
            && !self.taken_at_its_word
        {
            return self.stored(value, context);
        }
        if self.is_rows(expr, context) {
            self.tree.apply(&GENERATE_MAP)?;
            return self.lift(&self.tree.expr(), context);
        }
        let is_reduction = matches!(expr.kind, ExprKind::Reduce(..));
        if is_reduction
            && expr.ty.is_element()
            && self.is_long(expr)
            && context.is_closed(expr)
            && self.may_float(To::Stages)
        {
            return self.stored_value(expr, &STORE_REDUCTION);
        }
        let is_whole = context.is_produced && context.destination == Destination::Whole;
        let is_result = is_whole && context.is_outside_functions();
        if is_result && (self.divided_and_mapped(expr, context)? || self.divided_rows(expr)?) {
            return Ok(());
        }
        if let Some(division) = self.division(expr, context)
            && self.may_float(To::Stages)
        {
            let made = self.tree.run_binding(Strategy::rule(&STORE_SCAN))?;
            let part = self.tree.float_made(made)?;
            self.tree.begin_floated(To::Stages, part);
            self.divided_scan(expr, division)?;
            self.tree.end();
            return Ok(());
        }
        if self.is_worth_storing(expr, context) && context.is_closed(expr) && self.may_float(To::Stages) {
            let part = self.tree.float(&[], To::Stages)?;
            self.tree.begin_floated(To::Stages, part);
            self.stored_array(expr)?;
            self.tree.end();
            return Ok(());
        }
        if let ExprKind::Iterate(..) = &expr.kind
            && context.is_produced
            && context.is_outside_functions()
        {
            return self.applied_by_device(expr);
        }
        if let Some(home) = self.home_of_repeated(expr, context)
            && self.may_float(To::Scope(home))
        {
            let part = self.tree.float(&[], To::Scope(home))?;
            self.tree.begin_floated(To::Scope(home), part);
            self.kept(expr, &context.at(home))?;
            self.tree.end();
            return Ok(());
        }
        match &expr.kind {
            ExprKind::Let { bindings, body } => self.bound_in_scope(bindings, body, context),
            _ => self.inside(expr, context),
        }
    }

    /// Whether the expression here may be computed further outside.
    fn may_float(&self, to: To) -> bool {
        self.tree.may_float(&[], to, &self.counting.ranges)
    }

    /// Whether a `generate` of rows that take loops becomes a map over positions, which may be split like any
    /// other map.
    fn is_rows(&self, expr: &Expr, context: &Context) -> bool {
        let ExprKind::Generate(_, function) = &expr.kind else { return false };
        let is_of_device = context.is_produced && context.is_outside_functions() && !self.taken_at_its_word;
        is_of_device && !function.body.ty.is_element() && takes_a_loop(&function.body)
    }

    /// An array that the user wants stored.
    fn stored(&mut self, value: &Arc<Expr>, context: &Context) -> Result<(), Failure> {
        if context.is_produced {
            self.tree.apply(&REMOVE_STORE)?;
            return self.lift(value, context);
        }
        let to = context.home(value).map_or(To::Stages, To::Scope);
        if !self.may_float(to) {
            let parent = self.tree.expr();
            return self.inside(&parent, context);
        }
        let part = self.tree.float(&[], to)?;
        self.tree.begin_floated(to, part);
        self.tree.enter(0);
        match to {
            To::Stages => self.written(value)?,
            To::Scope(home) => self.inside(value, &context.at(home))?,
        }
        self.tree.leave();
        self.tree.end();
        Ok(())
    }

    /// A value that has floated to its home, where the context is this; an array becomes a kept array.
    fn kept(&mut self, expr: &Arc<Expr>, context: &Context) -> Result<(), Failure> {
        self.inside(expr, context)?;
        match expr.ty.is_element() {
            true => Ok(()),
            false => self.tree.apply(&STORE_BETWEEN),
        }
    }

    /// A single value becomes the element of a stage, by a rule that stores it.
    fn stored_value(&mut self, expr: &Arc<Expr>, store: &'static Rule) -> Result<(), Failure> {
        let made = self.tree.run_binding(Strategy::rule(store))?;
        let part = self.tree.float_made(made)?;
        self.tree.begin_floated(To::Stages, part);
        // Inside of the store, and of the array of one element.
        self.tree.enter(0);
        self.tree.enter(0);
        self.inside(expr, &Context::outside_functions(Multiplicity::ONCE))?;
        self.tree.end();
        Ok(())
    }

    /// An array that has become the value of a stage.
    fn stored_array(&mut self, array: &Arc<Expr>) -> Result<(), Failure> {
        self.written(array)?;
        self.tree.apply(&STORE_BETWEEN)?;
        if !self.taken_at_its_word {
            return Ok(());
        }
        // There, `store` says what the user says.
        self.tree.enter(0);
        let divided = divided_reductions(&self.tree.expr(), self.program, self.tables);
        self.tree.run(divided.tried())?;
        let workers = workers_of_result(&self.tree.expr(), self.program);
        self.tree.run(workers.tried())?;
        self.tree.leave();
        self.tree.apply(&STORE_TO_GLOBAL)
    }

    /// An array that kernels of its own write.
    fn written(&mut self, array: &Arc<Expr>) -> Result<(), Failure> {
        match &array.kind {
            ExprKind::Iterate(..) => self.applied_by_device(array),
            _ if self.divided_rows(array)? => Ok(()),
            _ => self.inside(array, &Context::of_produced()),
        }
    }

    /// The same for all parts of an expression. A map outside of all functions is split if that pays.
    fn inside(&mut self, expr: &Arc<Expr>, context: &Context) -> Result<(), Failure> {
        let decided = expr.children().enumerate().filter(|(_, part)| holds_decisions(part));
        let decided: Vec<(usize, &Arc<Expr>, Context)> = decided
            .map(|(position, part)| (position, part, context.of_part(part, expr, &self.counting)))
            .collect();
        for (position, part, inner) in decided {
            self.part(&[position], part, &inner, context)?;
        }
        if self.taken_at_its_word || !context.is_outside_functions() {
            return Ok(());
        }
        let expr = self.tree.expr();
        if !is_split(&expr, &self.program.functions) {
            return Ok(());
        }
        self.split(&expr)?;
        match context.is_produced && context.destination == Destination::Whole {
            true => self.divided_rest(),
            false => Ok(()),
        }
    }

    /// A part of an expression, at a place that starts here. Values that are kept in the body of a function
    /// are bound there.
    fn part(
        &mut self,
        place: &[usize],
        part: &Arc<Expr>,
        inner: &Context,
        outer: &Context,
    ) -> Result<(), Failure> {
        place.iter().for_each(|position| self.tree.enter(*position));
        let is_body = inner.depth() > outer.depth();
        if is_body {
            self.tree.begin_scope(0);
        }
        self.lift(part, inner)?;
        if is_body {
            self.tree.end_scopes(outer.depth());
        }
        place.iter().for_each(|_| self.tree.leave());
        Ok(())
    }
}

/// Whether an expression has a part about which anything is decided: one that applies a function, or is bound
/// or stored. Most are arithmetic, and are not walked with their context.
fn holds_decisions(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Let { .. } | ExprKind::Store(..))
        || expr.application().is_some()
        || expr.children().any(|child| holds_decisions(child))
}
