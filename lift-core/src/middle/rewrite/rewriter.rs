//! Applies rules and strategies to a program, and records what was applied.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use super::derivation::{Derivation, Step};
use super::failure::Failure;
use super::mismatch::Mismatch;
use super::normal::Normal;
use super::rule::{Argument, Redex, Rule};
use super::strategy::Strategy;
use crate::ir::nat::Ranges;
use crate::ir::typed::build::Build;
use crate::ir::typed::result::Need;
use crate::ir::typed::{Around, Expr, ExprKind, Path, Program, Rounding};

/// The most steps of a derivation. No chain of optimisations takes a hundredth, and lowering takes a few for
/// each map.
const MOST_STEPS: usize = 20_000;

/// What a strategy of a user may spend: a few seconds without optimisation, and several times what the
/// longest chain that is known takes.
const FUEL: u64 = 400_000;

/// A program while it is rewritten.
pub struct Rewriter<'p> {
    program: &'p Program,
    body: Arc<Expr>,
    next_id: u32,
    needs: Vec<Need>,
    steps: Vec<Step>,
    /// What the program and the needs say of sizes, once a rule has asked. It is learned once: most rules
    /// that are tried do not apply.
    known: OnceCell<Ranges>,
    /// The named strategies that are being applied, outermost first.
    within: Vec<&'static str>,
    /// What may still be spent. Nothing is applied any more once it is zero.
    fuel: Cell<u64>,
}

/// What a failure restores. Trees are shared and steps only added, so that it costs nothing to remember.
struct Mark {
    body: Arc<Expr>,
    next_id: u32,
    needs: usize,
    steps: usize,
    known: OnceCell<Ranges>,
}

/// The place that a strategy is applied to. Most strategies that are tried fail, and then the expression is
/// still there: it is looked up again only after a step.
struct Focus {
    path: Path,
    /// The expression; `None` where the path leaves the tree.
    expr: Option<Arc<Expr>>,
    /// The number of steps before it was looked up. What undoes steps ends before another is taken, so that
    /// there is one tree after each number of steps while somebody has this focus.
    steps: usize,
}

/// What one application of a rule changes.
struct Change {
    body: Arc<Expr>,
    next_id: u32,
    needs: Vec<Need>,
    step: Step,
}

/// A rewritten program.
#[derive(Debug, Clone, PartialEq)]
pub struct Rewritten {
    /// The program. Its obligations are those of the program that it was made of.
    pub program: Program,
    /// What it needs of sizes beyond them.
    pub needs: Vec<Need>,
    /// How it was made.
    pub derivation: Derivation,
}

impl<'p> Rewriter<'p> {
    /// Begins with a program.
    pub fn new(program: &'p Program) -> Rewriter<'p> {
        Rewriter::of_body(program, program.body.clone(), program.next_id)
    }

    /// Begins with a program, for a strategy that a user wrote, which may take for ever.
    pub fn with_fuel(program: &'p Program) -> Rewriter<'p> {
        Rewriter { fuel: Cell::new(FUEL), ..Rewriter::new(program) }
    }

    /// Begins with another body of a program, where fresh ids start at `next_id`.
    pub fn of_body(program: &'p Program, body: Arc<Expr>, next_id: u32) -> Rewriter<'p> {
        let (needs, steps, within) = (Vec::new(), Vec::new(), Vec::new());
        Rewriter {
            program,
            body,
            next_id,
            needs,
            steps,
            known: OnceCell::new(),
            within,
            fuel: Cell::new(u64::MAX),
        }
    }

    /// The body as it is now.
    pub fn body(&self) -> &Arc<Expr> {
        &self.body
    }

    /// A number from which on no node and no variable has one.
    pub fn next_id(&self) -> u32 {
        self.next_id
    }

    /// What the program as it is now needs of sizes beyond its obligations.
    pub fn needs(&self) -> &[Need] {
        &self.needs
    }

    /// The program as it is now.
    pub fn program(&self) -> Program {
        self.program.with_body(self.body.clone(), self.next_id)
    }

    /// The program as it is now, with what it needs and how it was made.
    pub fn rewritten(&self) -> Rewritten {
        let derivation = Derivation { steps: self.steps.clone() };
        Rewritten { program: self.program(), needs: self.needs.clone(), derivation }
    }

    /// Applies a rule at a place.
    ///
    /// # Errors
    /// Where it does not apply; the program is as it was.
    pub fn apply(&mut self, rule: &'static Rule, arguments: &[Argument], path: &Path) -> Result<(), Failure> {
        self.apply_at(rule, arguments, &self.focus(path.clone()))
    }

    fn apply_at(
        &mut self,
        rule: &'static Rule,
        arguments: &[Argument],
        focus: &Focus,
    ) -> Result<(), Failure> {
        let change = match &self.expr(focus) {
            Some(expr) => self.change_at(rule, arguments, &focus.path, expr),
            None => Err(Mismatch::Arguments),
        };
        match change {
            Ok(change) => {
                self.commit(change);
                Ok(())
            }
            Err(mismatch) => Err(self.failure(Some(rule), mismatch, focus)),
        }
    }

    /// Whether a rule applies at a place, and needs nothing more of sizes there.
    pub fn applies(&self, rule: &'static Rule, arguments: &[Argument], path: &Path) -> bool {
        let change = self.body.at_path(path).map(|expr| self.change_at(rule, arguments, path, expr));
        matches!(change, Some(Ok(change)) if change.needs.is_empty())
    }

    /// The change of the expression that a path leads to.
    fn change_at(
        &self,
        rule: &'static Rule,
        arguments: &[Argument],
        path: &Path,
        expr: &Arc<Expr>,
    ) -> Result<Change, Mismatch> {
        let around = Around::on_way(&self.body, path);
        if !arguments.iter().map(Argument::kind).eq(rule.parameters.iter().copied()) {
            return Err(Mismatch::Arguments);
        }
        self.spend(if self.steps.len() < MOST_STEPS { 1 } else { u64::MAX })?;
        let mut build = Build::new(self.program, self.known(), expr, around.indices(), self.next_id);
        let right = (rule.apply)(&Redex { expr, around: &around }, arguments, &mut build);
        let right = right.map_err(|mismatch| match self.is_too_free(rule, arguments, path) {
            true => Mismatch::Strict { source: expr.source },
            false => mismatch,
        })?;
        // Only the function of an `iterate` has an end: there it stays the last that the function does.
        if matches!(expr.kind, ExprKind::EndUnless(..)) && right.end().is_none() {
            return Err(Mismatch::form("something else than the end of an `iterate`", expr, 0));
        }
        // What the compiler decides itself has an end.
        if self.fuel.get() <= FUEL {
            self.spend(typed_parts(&right))?;
        }
        let right = build.in_place_of(expr, &right)?;
        let (needs, next_id) = build.finish()?;
        let body = self.body.with_replaced(path, right).ok_or(Mismatch::Arguments)?;
        let step = Step { rule, arguments: arguments.to_vec(), path: path.clone() };
        Ok(Change { body, next_id, needs: needs.into_iter().map(|demand| demand.need).collect(), step })
    }

    /// Whether a rule that does not apply would, if the program were not strict.
    fn is_too_free(&self, rule: &'static Rule, arguments: &[Argument], path: &Path) -> bool {
        if self.program.rounding == Rounding::Free || !rule.regroups {
            return false;
        }
        let free = Program { rounding: Rounding::Free, ..self.program.clone() };
        let Some((around, expr)) = Around::at(&self.body, path) else { return false };
        let mut build = Build::new(&free, self.known(), expr, around.indices(), self.next_id);
        (rule.apply)(&Redex { expr, around: &around }, arguments, &mut build).is_ok()
    }

    /// A rule that is tried costs one. One that applies costs the parts of what it makes, which are typed.
    fn spend(&self, cost: u64) -> Result<(), Mismatch> {
        self.fuel.set(self.fuel.get().saturating_sub(cost));
        if self.fuel.get() == 0 { Err(Mismatch::Endless) } else { Ok(()) }
    }

    fn commit(&mut self, change: Change) {
        let Change { body, next_id, needs, step } = change;
        (self.body, self.next_id) = (body, next_id);
        if let Some(known) = self.known.get_mut() {
            needs.iter().for_each(|need| need.requirement.assume(known));
        }
        self.needs.extend(needs);
        self.steps.push(step);
    }

    /// What is known of sizes outside of all functions.
    fn known(&self) -> Ranges {
        let known = || {
            let mut ranges = self.program.ranges();
            self.needs.iter().for_each(|need| need.requirement.assume(&mut ranges));
            ranges
        };
        self.known.get_or_init(known).clone()
    }

    fn mark(&self) -> Mark {
        let (needs, steps) = (self.needs.len(), self.steps.len());
        Mark { body: self.body.clone(), next_id: self.next_id, needs, steps, known: self.known.clone() }
    }

    fn restore(&mut self, mark: Mark) {
        (self.body, self.next_id, self.known) = (mark.body, mark.next_id, mark.known);
        self.needs.truncate(mark.needs);
        self.steps.truncate(mark.steps);
    }

    /// Applies a strategy to the whole program.
    ///
    /// # Errors
    /// Where it fails; the program is as it was.
    pub fn run(&mut self, strategy: &Strategy) -> Result<(), Failure> {
        let (before, root) = (self.mark(), self.focus(Path::root()));
        let done = self.run_at(strategy, &root);
        if self.fuel.get() == 0 {
            self.restore(before);
            return Err(self.failure(None, Mismatch::Endless, &self.focus(Path::root())));
        }
        done
    }

    fn run_at(&mut self, strategy: &Strategy, focus: &Focus) -> Result<(), Failure> {
        if self.fuel.get() == 0 {
            return Err(self.failure(None, Mismatch::Endless, focus));
        }
        match strategy {
            Strategy::Apply(rule, arguments) => self.apply_at(rule, arguments, focus),
            Strategy::Sequence(strategies) => {
                let before = self.mark();
                let done = strategies.iter().try_for_each(|strategy| self.run_at(strategy, focus));
                if done.is_err() {
                    self.restore(before);
                }
                done
            }
            Strategy::Choice(strategies) => self.first(strategies, focus),
            Strategy::Try(strategy) => {
                // That it fails is what `Try` is for.
                let _ = self.run_at(strategy, focus);
                Ok(())
            }
            Strategy::Repeat(strategy, most) => {
                for _ in 0..*most {
                    let before = self.steps.len();
                    if self.run_at(strategy, focus).is_err() || self.steps.len() == before {
                        break;
                    }
                }
                Ok(())
            }
            Strategy::Function(strategy) => {
                let body = |expr: &Expr| expr.function_body().map(|_| expr.children().len() - 1);
                self.run_inside(strategy, focus, body, "something that applies a function")
            }
            Strategy::Input(strategy) => {
                self.run_inside(strategy, focus, Expr::input_position, "something with an input")
            }
            Strategy::At(path, strategy) => self.run_at(strategy, &self.focus(focus.path.join(path))),
            Strategy::Where(pattern, strategy) => match &self.expr(focus) {
                Some(expr) if pattern.matches(expr) => self.run_at(strategy, focus),
                Some(expr) => Err(self.failure(None, pattern.mismatch(expr, 0), focus)),
                None => Err(self.no_place("an expression", focus)),
            },
            Strategy::Outermost(strategy) => self.outermost(strategy, focus),
            Strategy::Innermost(strategy) => self.innermost(strategy, focus),
            Strategy::Nth(number, strategy) => self.nth(*number, strategy, focus),
            Strategy::Everywhere(strategy) => self.at_least_once(strategy, focus, |_, _| true),
            Strategy::OutsideFunctions(strategy) => {
                self.at_least_once(strategy, focus, |expr, position| !expr.is_function_body(position))
            }
            Strategy::Result(strategy) => {
                let mut place = self.focus(focus.path.clone());
                while let Some(expr) = &place.expr
                    && let ExprKind::Let { bindings, .. } = &expr.kind
                {
                    place = self.child(&place, bindings.len());
                }
                self.run_at(strategy, &place)
            }
            Strategy::Components(strategy) => self.components(strategy, focus),
            Strategy::Normalise(normal) => self.normalise(normal, focus),
            Strategy::Named(name, _, strategy) => {
                self.within.push(name);
                let done = self.run_at(strategy, focus);
                self.within.pop();
                done
            }
        }
    }

    fn focus(&self, path: Path) -> Focus {
        let expr = self.body.at_path(&path).cloned();
        Focus { path, expr, steps: self.steps.len() }
    }

    /// The expression at a place as it is now.
    fn expr(&self, focus: &Focus) -> Option<Arc<Expr>> {
        match focus.steps == self.steps.len() {
            true => focus.expr.clone(),
            false => self.body.at_path(&focus.path).cloned(),
        }
    }

    fn child(&self, focus: &Focus, position: usize) -> Focus {
        let expr = self.expr(focus).and_then(|expr| expr.child(position).cloned());
        Focus { path: focus.path.child(position), expr, steps: self.steps.len() }
    }

    fn children(&self, focus: &Focus) -> usize {
        self.expr(focus).map_or(0, |expr| expr.children().len())
    }

    /// Applies a strategy to the child that `position` names.
    fn run_inside(
        &mut self,
        strategy: &Strategy,
        focus: &Focus,
        position: impl Fn(&Expr) -> Option<usize>,
        wanted: &'static str,
    ) -> Result<(), Failure> {
        match self.expr(focus).and_then(|expr| position(&expr)) {
            Some(position) => self.run_at(strategy, &self.child(focus, position)),
            None => Err(self.no_place(wanted, focus)),
        }
    }

    fn first(&mut self, strategies: &[Strategy], focus: &Focus) -> Result<(), Failure> {
        let mut furthest: Option<Failure> = None;
        for strategy in strategies {
            match self.run_at(strategy, focus) {
                Ok(()) => return Ok(()),
                Err(failure) => furthest = Some(further(furthest, failure)),
            }
        }
        Err(furthest.unwrap_or_else(|| self.no_place("one of several strategies", focus)))
    }

    fn outermost(&mut self, strategy: &Strategy, focus: &Focus) -> Result<(), Failure> {
        let mut furthest = match self.run_at(strategy, focus) {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        for position in 0..self.children(focus) {
            match self.outermost(strategy, &self.child(focus, position)) {
                Ok(()) => return Ok(()),
                Err(failure) => furthest = furthest.or_further(failure),
            }
        }
        Err(furthest)
    }

    fn innermost(&mut self, strategy: &Strategy, focus: &Focus) -> Result<(), Failure> {
        let mut furthest = None;
        for position in 0..self.children(focus) {
            match self.innermost(strategy, &self.child(focus, position)) {
                Ok(()) => return Ok(()),
                Err(failure) => furthest = Some(further(furthest, failure)),
            }
        }
        self.run_at(strategy, focus).map_err(|failure| further(furthest, failure))
    }

    fn nth(&mut self, number: u32, strategy: &Strategy, focus: &Focus) -> Result<(), Failure> {
        let mut left = number;
        let mut furthest = None;
        for place in self.places(focus) {
            let before = self.mark();
            match self.run_at(strategy, &place) {
                Ok(()) if left == 0 => return Ok(()),
                Ok(()) => {
                    left -= 1;
                    self.restore(before);
                }
                Err(failure) => furthest = Some(further(furthest, failure)),
            }
        }
        match number - left {
            0 => Err(furthest.unwrap_or_else(|| self.no_place("an expression", focus))),
            found => Err(self.failure(None, Mismatch::Places { found }, focus)),
        }
    }

    /// All places inside the focus, outer ones first.
    fn places(&self, focus: &Focus) -> Vec<Focus> {
        let mut places = vec![self.focus(focus.path.clone())];
        for position in 0..self.children(focus) {
            places.extend(self.places(&self.child(focus, position)));
        }
        places
    }

    /// Applies a strategy wherever it succeeds, at the focus or inside of those children that `enters` says.
    fn at_least_once(
        &mut self,
        strategy: &Strategy,
        focus: &Focus,
        enters: fn(&Expr, usize) -> bool,
    ) -> Result<(), Failure> {
        let mut failure = None;
        match self.everywhere(strategy, focus, enters, &mut failure) {
            true => Ok(()),
            false => Err(failure.unwrap_or_else(|| self.no_place("an expression", focus))),
        }
    }

    /// Whether the strategy succeeded anywhere, at the focus or inside of those children that `enters` says.
    /// `furthest` is the failure that came furthest.
    fn everywhere(
        &mut self,
        strategy: &Strategy,
        focus: &Focus,
        enters: fn(&Expr, usize) -> bool,
        furthest: &mut Option<Failure>,
    ) -> bool {
        let mut any = false;
        for position in 0..self.children(focus) {
            if self.expr(focus).is_some_and(|expr| enters(&expr, position)) {
                any |= self.everywhere(strategy, &self.child(focus, position), enters, furthest);
            }
        }
        match self.run_at(strategy, focus) {
            Ok(()) => true,
            Err(failure) => {
                *furthest = Some(further(furthest.take(), failure));
                any
            }
        }
    }

    fn components(&mut self, strategy: &Strategy, focus: &Focus) -> Result<(), Failure> {
        let parts = match self.expr(focus).as_deref() {
            Some(Expr { kind: ExprKind::Tuple(parts), .. }) => parts.len(),
            _ => return Err(self.no_place("a tuple", focus)),
        };
        let (mut any, mut furthest) = (false, None);
        for position in 0..parts {
            match self.run_at(strategy, &self.child(focus, position)) {
                Ok(()) => any = true,
                Err(failure) => furthest = Some(further(furthest, failure)),
            }
        }
        match furthest {
            Some(failure) if !any => Err(failure),
            _ => Ok(()),
        }
    }

    fn normalise(&mut self, normal: &'static Normal, focus: &Focus) -> Result<(), Failure> {
        for position in 0..self.children(focus) {
            self.normalise(normal, &self.child(focus, position))?;
        }
        let Some(expr) = &self.expr(focus) else { return Ok(()) };
        let first =
            normal.rules_for(expr).find_map(|rule| match self.change_at(rule, &[], &focus.path, expr) {
                // A normal form is for all sizes for which the program is.
                Ok(change) if change.needs.is_empty() => Some(Ok(change)),
                Err(Mismatch::Endless) => Some(Err(rule)),
                Ok(_) | Err(_) => None,
            });
        match first {
            Some(Ok(change)) => {
                self.commit(change);
                // What the rule made may have places for other rules inside.
                self.normalise(normal, focus)
            }
            Some(Err(rule)) => Err(self.failure(Some(rule), Mismatch::Endless, focus)),
            None => Ok(()),
        }
    }

    fn failure(&self, rule: Option<&'static Rule>, mismatch: Mismatch, focus: &Focus) -> Failure {
        let expr = self.expr(focus);
        let source = expr.as_ref().map_or(self.program.body.source, |expr| expr.source);
        // There are far fewer (MOST_STEPS).
        let steps = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        let within = self.within.clone();
        Failure { rule, mismatch, path: focus.path.clone(), source, expr, within, steps }
    }

    fn no_place(&self, wanted: &'static str, focus: &Focus) -> Failure {
        let found = self.expr(focus).unwrap_or_else(|| self.program.body.clone());
        self.failure(None, Mismatch::form(wanted, &found, 0), focus)
    }
}

/// The parts of an expression, each counted once more for each of its dimensions.
fn typed_parts(expr: &Expr) -> u64 {
    let dimensions = u64::try_from(expr.ty.shape().len()).unwrap_or(u64::MAX);
    expr.children()
        .fold(dimensions.saturating_add(1), |parts, child| parts.saturating_add(typed_parts(child)))
}

fn further(furthest: Option<Failure>, failure: Failure) -> Failure {
    match furthest {
        Some(furthest) => furthest.or_further(failure),
        None => failure,
    }
}
