//! Applies rules and strategies to a program, and records what was applied.

use std::rc::Rc;

use super::derivation::{Derivation, Step};
use super::failure::Failure;
use super::mismatch::Mismatch;
use super::normal::Normal;
use super::rule::{Argument, Redex, Rule};
use super::strategy::Strategy;
use crate::ir::nat::Ranges;
use crate::ir::typed::build::Build;
use crate::ir::typed::result::Need;
use crate::ir::typed::{Around, Expr, Path, Program};

/// The most steps of a derivation. No chain that is known takes a tenth.
const MOST_STEPS: usize = 2000;

/// A program while it is rewritten.
pub struct Rewriter<'p> {
    program: &'p Program,
    state: State,
    /// The named strategies that are being applied, outermost first.
    within: Vec<&'static str>,
}

/// What a failure restores. A tree is shared, so that a copy costs nothing.
#[derive(Clone)]
struct State {
    body: Rc<Expr>,
    next_id: u32,
    needs: Vec<Need>,
    steps: Vec<Step>,
    /// What the program says of sizes, and what its needs say. It is learned once: most rules that are tried
    /// do not apply.
    ranges: Ranges,
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
        let (body, next_id) = (program.body.clone(), program.next_id);
        let state = State { body, next_id, needs: Vec::new(), steps: Vec::new(), ranges: program.ranges() };
        Rewriter { program, state, within: Vec::new() }
    }

    /// The body as it is now.
    pub fn body(&self) -> &Rc<Expr> {
        &self.state.body
    }

    /// What the program as it is now needs of sizes beyond its obligations.
    pub fn needs(&self) -> &[Need] {
        &self.state.needs
    }

    /// The program as it is now.
    pub fn program(&self) -> Program {
        self.program.with_body(self.state.body.clone(), self.state.next_id)
    }

    /// The program as it is now, with what it needs and how it was made.
    pub fn rewritten(&self) -> Rewritten {
        let State { needs, steps, .. } = self.state.clone();
        Rewritten { program: self.program(), needs, derivation: Derivation { steps } }
    }

    /// Applies a rule at a place.
    ///
    /// # Errors
    /// Where it does not apply; the program is as it was.
    pub fn apply(&mut self, rule: &'static Rule, arguments: &[Argument], path: &Path) -> Result<(), Failure> {
        match self.applied(rule, arguments, path) {
            Ok(state) => {
                self.state = state;
                Ok(())
            }
            Err(mismatch) => Err(self.failure(Some(rule), mismatch, path)),
        }
    }

    fn applied(&self, rule: &'static Rule, arguments: &[Argument], path: &Path) -> Result<State, Mismatch> {
        if !arguments.iter().map(Argument::kind).eq(rule.parameters.iter().copied()) {
            return Err(Mismatch::Arguments);
        }
        if self.state.steps.len() == MOST_STEPS {
            return Err(Mismatch::Endless);
        }
        let place = Around::at(self.program, &self.state.body, path);
        let Some((around, expr)) = place else { return Err(Mismatch::Arguments) };
        let ranges = self.state.ranges.clone();
        let mut build = Build::new(self.program, ranges, expr, around.indices(), self.state.next_id);
        let right = (rule.apply)(&Redex { expr, around: &around }, arguments, &mut build)?;
        let right = build.in_place_of(expr, &right)?;
        let (needs, next_id) = build.finish()?;
        let body = self.state.body.with_replaced(path, right).ok_or(Mismatch::Arguments)?;
        let mut state = State { body, next_id, ..self.state.clone() };
        for demand in needs {
            demand.need.requirement.assume(&mut state.ranges);
            state.needs.push(demand.need);
        }
        state.steps.push(Step { rule, arguments: arguments.to_vec(), path: path.clone() });
        Ok(state)
    }

    /// Applies a strategy to the whole program.
    ///
    /// # Errors
    /// Where it fails; the program is as it was.
    pub fn run(&mut self, strategy: &Strategy) -> Result<(), Failure> {
        self.run_at(strategy, &Path::root())
    }

    fn run_at(&mut self, strategy: &Strategy, focus: &Path) -> Result<(), Failure> {
        match strategy {
            Strategy::Apply(rule, arguments) => self.apply(rule, arguments, focus),
            Strategy::Sequence(strategies) => {
                let before = self.state.clone();
                let done = strategies.iter().try_for_each(|strategy| self.run_at(strategy, focus));
                if done.is_err() {
                    self.state = before;
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
                    if self.run_at(strategy, focus).is_err() {
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
            Strategy::At(path, strategy) => self.run_at(strategy, &focus.join(path)),
            Strategy::Where(pattern, strategy) => match self.expr(focus) {
                Some(expr) if pattern.matches(expr) => self.run_at(strategy, focus),
                Some(expr) => Err(self.failure(None, pattern.mismatch(expr, 0), focus)),
                None => Err(self.no_place("an expression", focus)),
            },
            Strategy::Outermost(strategy) => self.outermost(strategy, focus),
            Strategy::Innermost(strategy) => self.innermost(strategy, focus),
            Strategy::Nth(number, strategy) => self.nth(*number, strategy, focus),
            Strategy::Everywhere(strategy) => {
                let mut failure = None;
                match self.everywhere(strategy, focus, &mut failure) {
                    true => Ok(()),
                    false => Err(failure.unwrap_or_else(|| self.no_place("an expression", focus))),
                }
            }
            Strategy::Normalise(normal) => self.normalise(normal, focus),
            Strategy::Named(name, _, strategy) => {
                self.within.push(name);
                let done = self.run_at(strategy, focus);
                self.within.pop();
                done
            }
        }
    }

    fn expr(&self, path: &Path) -> Option<&Rc<Expr>> {
        self.state.body.at_path(path)
    }

    fn children(&self, path: &Path) -> usize {
        self.expr(path).map_or(0, |expr| expr.children().len())
    }

    /// Applies a strategy to the child that `position` names.
    fn run_inside(
        &mut self,
        strategy: &Strategy,
        focus: &Path,
        position: impl Fn(&Expr) -> Option<usize>,
        wanted: &'static str,
    ) -> Result<(), Failure> {
        match self.expr(focus).and_then(|expr| position(expr)) {
            Some(position) => self.run_at(strategy, &focus.child(position)),
            None => Err(self.no_place(wanted, focus)),
        }
    }

    fn first(&mut self, strategies: &[Strategy], focus: &Path) -> Result<(), Failure> {
        let mut furthest: Option<Failure> = None;
        for strategy in strategies {
            match self.run_at(strategy, focus) {
                Ok(()) => return Ok(()),
                Err(failure) => furthest = Some(further(furthest, failure)),
            }
        }
        Err(furthest.unwrap_or_else(|| self.no_place("one of several strategies", focus)))
    }

    fn outermost(&mut self, strategy: &Strategy, focus: &Path) -> Result<(), Failure> {
        let mut furthest = match self.run_at(strategy, focus) {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        for position in 0..self.children(focus) {
            match self.outermost(strategy, &focus.child(position)) {
                Ok(()) => return Ok(()),
                Err(failure) => furthest = furthest.or_further(failure),
            }
        }
        Err(furthest)
    }

    fn innermost(&mut self, strategy: &Strategy, focus: &Path) -> Result<(), Failure> {
        let mut furthest = None;
        for position in 0..self.children(focus) {
            match self.innermost(strategy, &focus.child(position)) {
                Ok(()) => return Ok(()),
                Err(failure) => furthest = Some(further(furthest, failure)),
            }
        }
        self.run_at(strategy, focus).map_err(|failure| further(furthest, failure))
    }

    fn nth(&mut self, number: u32, strategy: &Strategy, focus: &Path) -> Result<(), Failure> {
        let mut left = number;
        let mut furthest = None;
        for path in self.places(focus) {
            let before = self.state.clone();
            match self.run_at(strategy, &path) {
                Ok(()) if left == 0 => return Ok(()),
                Ok(()) => {
                    left -= 1;
                    self.state = before;
                }
                Err(failure) => furthest = Some(further(furthest, failure)),
            }
        }
        Err(furthest.unwrap_or_else(|| self.no_place("one more such expression", focus)))
    }

    /// All places inside the focus, outer ones first.
    fn places(&self, focus: &Path) -> Vec<Path> {
        let mut places = vec![focus.clone()];
        for position in 0..self.children(focus) {
            places.extend(self.places(&focus.child(position)));
        }
        places
    }

    /// Whether the strategy succeeded anywhere. `furthest` is the failure that came furthest.
    fn everywhere(&mut self, strategy: &Strategy, focus: &Path, furthest: &mut Option<Failure>) -> bool {
        let mut any = false;
        for position in 0..self.children(focus) {
            any |= self.everywhere(strategy, &focus.child(position), furthest);
        }
        match self.run_at(strategy, focus) {
            Ok(()) => true,
            Err(failure) => {
                *furthest = Some(further(furthest.take(), failure));
                any
            }
        }
    }

    fn normalise(&mut self, normal: &'static Normal, focus: &Path) -> Result<(), Failure> {
        for position in 0..self.children(focus) {
            self.normalise(normal, &focus.child(position))?;
        }
        for rule in normal.rules {
            match self.applied(rule, &[], focus) {
                // A normal form is for all sizes for which the program is.
                Ok(state) if state.needs.len() == self.state.needs.len() => {
                    self.state = state;
                    // What the rule made may have places for other rules inside.
                    return self.normalise(normal, focus);
                }
                Err(Mismatch::Endless) => return Err(self.failure(Some(rule), Mismatch::Endless, focus)),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn failure(&self, rule: Option<&'static Rule>, mismatch: Mismatch, path: &Path) -> Failure {
        let expr = self.expr(path).cloned();
        let source = expr.as_ref().map_or(self.program.body.source, |expr| expr.source);
        // There are far fewer (MOST_STEPS).
        let steps = u32::try_from(self.state.steps.len()).unwrap_or(u32::MAX);
        let within = self.within.clone();
        Failure { rule, mismatch, path: path.clone(), source, expr, within, steps }
    }

    fn no_place(&self, wanted: &'static str, path: &Path) -> Failure {
        let found = self.expr(path).unwrap_or(&self.program.body);
        self.failure(None, Mismatch::form(wanted, found, 0), path)
    }
}

fn further(furthest: Option<Failure>, failure: Failure) -> Failure {
    match furthest {
        Some(furthest) => furthest.or_further(failure),
        None => failure,
    }
}
