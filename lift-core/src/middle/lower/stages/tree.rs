//! The program while its stages are separated: where the walk is, and where the expressions go that float.
//!
//! A step that binds something outside moves the places of what is inside. So all places that the walk goes
//! back to are kept here, and every step moves them along.

use std::sync::Arc;

use crate::ir::nat::Ranges;
use crate::ir::typed::{Expr, ExprKind, Path};
use crate::middle::lower::context::Depth;
use crate::middle::rewrite::rules::{LET_FLOAT, may_be_unreached};
use crate::middle::rewrite::{Argument, Failure, Rewriter, Rule, Strategy};

/// Positions of children, from the root on.
type Place = Vec<usize>;

/// A program, and a walk in it.
pub(super) struct Tree<'r, 'p> {
    rewriter: &'r mut Rewriter<'p>,
    /// The walks that go on later, and last the one that goes on now.
    walks: Vec<Walk>,
}

/// A walk through an expression.
#[derive(Clone)]
struct Walk {
    /// Where it is.
    here: Place,
    /// For each expression that the walk has entered and goes back to, the length of its place.
    entered: Vec<usize>,
    /// Where stages are bound.
    stages: Spot,
    /// Where values are bound that are kept in each of the scopes around, outermost first.
    scopes: Vec<Spot>,
}

/// A part of a `let` before which something may be bound; before an expression of another form, if it is
/// part 0.
#[derive(Clone)]
struct Spot {
    place: Place,
    part: usize,
}

/// Where an expression floats to.
#[derive(Clone, Copy)]
pub(super) enum To {
    /// Among the stages, outside of all functions.
    Stages,
    /// To the beginning of a scope.
    Scope(Depth),
}

/// Where the `let`s are that a step has made.
#[derive(Clone, Copy)]
pub(super) enum Made {
    /// Here.
    Here,
    /// The walk is in the body of a `let`, and this many of its variables, the last ones, were made.
    Around(usize),
}

impl<'r, 'p> Tree<'r, 'p> {
    /// The body of a program.
    pub(super) fn new(rewriter: &'r mut Rewriter<'p>) -> Tree<'r, 'p> {
        let stages = Spot { place: Place::new(), part: 0 };
        let walk = Walk { here: Place::new(), entered: Vec::new(), stages, scopes: Vec::new() };
        Tree { rewriter, walks: vec![walk] }
    }

    /// A number that no node and no variable has.
    pub(super) fn next_id(&self) -> u32 {
        self.rewriter.next_id()
    }

    /// The expression here.
    pub(super) fn expr(&self) -> Arc<Expr> {
        self.inside(&[])
    }

    /// The expression at a place that starts here.
    pub(super) fn inside(&self, place: &[usize]) -> Arc<Expr> {
        self.at(&[self.here(), place].concat())
    }

    /// The `let` that binds the stages, or the expression before which there are none yet.
    pub(super) fn around_stages(&self) -> Arc<Expr> {
        self.at(&self.walk().stages.place)
    }

    fn at(&self, place: &[usize]) -> Arc<Expr> {
        let body = self.rewriter.body();
        body.at_path(&Path::from(place.to_vec())).unwrap_or(body).clone()
    }

    fn walk(&self) -> &Walk {
        // There is always one.
        &self.walks[self.walks.len() - 1]
    }

    fn walk_mut(&mut self) -> &mut Walk {
        let last = self.walks.len() - 1;
        &mut self.walks[last]
    }

    fn here(&self) -> &[usize] {
        &self.walk().here
    }

    /// Whether stages are bound before the expression here, or before a part of it.
    pub(super) fn is_at_stages(&self) -> bool {
        self.walk().here == self.walk().stages.place
    }

    /// Goes to a child.
    pub(super) fn enter(&mut self, position: usize) {
        let walk = self.walk_mut();
        walk.entered.push(walk.here.len());
        walk.here.push(position);
    }

    /// Goes back to where the walk has entered a child.
    pub(super) fn leave(&mut self) {
        let walk = self.walk_mut();
        let length = walk.entered.pop().unwrap_or(0);
        walk.here.truncate(length);
    }

    /// Begins a scope before a part of the expression here, which is a `let` unless that is part 0.
    pub(super) fn begin_scope(&mut self, part: usize) {
        let walk = self.walk_mut();
        walk.scopes.push(Spot { place: walk.here.clone(), part });
    }

    /// Ends all scopes but this number of them.
    pub(super) fn end_scopes(&mut self, left: usize) {
        self.walk_mut().scopes.truncate(left);
    }

    /// Begins a walk outside of all scopes at a place that starts here, before which it binds its stages.
    pub(super) fn begin_whole(&mut self, place: &[usize]) {
        let here = [self.here(), place].concat();
        let stages = Spot { place: here.clone(), part: 0 };
        self.walks.push(Walk { here, entered: Vec::new(), stages, scopes: Vec::new() });
    }

    /// Begins a walk in a part of the `let` of the stages, before which it binds its own.
    pub(super) fn begin_stage(&mut self, part: usize) {
        let stages = Spot { part, ..self.walk().stages.clone() };
        let here = [stages.place.as_slice(), &[part]].concat();
        self.walks.push(Walk { here, entered: Vec::new(), stages, scopes: Vec::new() });
    }

    /// Begins a walk in what has floated, and become this part of a `let`.
    pub(super) fn begin_floated(&mut self, to: To, part: usize) {
        let To::Scope(home) = to else { return self.begin_stage(part) };
        let mut walk = self.walk().clone();
        walk.entered.clear();
        walk.scopes.truncate(home.0 + 1);
        if let Some(scope) = walk.scopes.last_mut() {
            scope.part = part;
            walk.here = [scope.place.as_slice(), &[part]].concat();
        }
        self.walks.push(walk);
    }

    /// Goes on with the walk before.
    pub(super) fn end(&mut self) {
        self.walks.pop();
    }

    /// The program's body as it is now.
    pub(super) fn body(&self) -> &Arc<Expr> {
        self.rewriter.body()
    }

    /// Applies a rule without arguments here.
    pub(super) fn apply(&mut self, rule: &'static Rule) -> Result<(), Failure> {
        let here = Path::from(self.here().to_vec());
        self.rewriter.apply(rule, &[], &here)
    }

    /// Applies a strategy here that moves no place outside.
    pub(super) fn run(&mut self, strategy: Strategy) -> Result<(), Failure> {
        let here = Path::from(self.here().to_vec());
        self.rewriter.run(&Strategy::At(here, Box::new(strategy)))
    }

    /// Applies a strategy at a place that starts here. It moves no place that the walk goes back to.
    pub(super) fn run_inside(&mut self, place: &[usize], strategy: Strategy) -> Result<(), Failure> {
        self.run(Strategy::At(Path::from(place.to_vec()), Box::new(strategy)))
    }

    /// Applies a strategy here that puts `let`s before the expression.
    pub(super) fn run_binding(&mut self, strategy: Strategy) -> Result<Made, Failure> {
        let bindings = |expr: &Expr| match &expr.kind {
            ExprKind::Let { bindings, .. } => Some(bindings.len()),
            _ => None,
        };
        let outer = self.here().split_last().map(|(last, outer)| (*last, outer.to_vec()));
        // A `let` in the body of another one is part of it.
        let around = outer.and_then(|(last, outer)| Some((bindings(&self.at(&outer))?, last, outer)));
        self.run(strategy)?;
        match around {
            Some((before, last, outer)) if last == before => {
                let made = bindings(&self.at(&outer)).unwrap_or(before) - before;
                self.bound(&Spot { place: outer, part: before }, made, false);
                Ok(Made::Around(made))
            }
            _ => Ok(Made::Here),
        }
    }

    /// Makes stages of the `let`s that a step has made. Returns the part of the `let` of the stages that the
    /// first one becomes.
    pub(super) fn float_made(&mut self, made: Made) -> Result<usize, Failure> {
        let stages = self.walk().stages.clone();
        match made {
            Made::Here if self.is_at_stages() => {
                let count = self.expr().children().len() - 1;
                self.bound(&stages, count, true);
                Ok(0)
            }
            Made::Here => self.float(&[], To::Stages),
            Made::Around(count) => {
                let body = self.walk_mut().here.pop().unwrap_or(count);
                if self.is_at_stages() {
                    self.walk_mut().here.push(body);
                    return Ok(body - count);
                }
                for left in (1..=count).rev() {
                    let body = self.expr().children().len() - 1;
                    self.float(&[body - left], To::Stages)?;
                }
                let body = self.expr().children().len() - 1;
                self.walk_mut().here.push(body);
                Ok(stages.part)
            }
        }
    }

    fn spot(&self, to: To) -> &Spot {
        let walk = self.walk();
        match to {
            To::Stages => &walk.stages,
            To::Scope(home) => walk.scopes.get(home.0).unwrap_or(&walk.stages),
        }
    }

    /// Whether an expression may float whose place starts here: what it needs of sizes holds there, too.
    pub(super) fn may_float(&self, place: &[usize], to: To, ranges: &Ranges) -> bool {
        let (outer, arguments) = self.way(place, to);
        let expr = self.at(&outer);
        let [_, Argument::Place(from)] = &arguments else { return false };
        !may_be_unreached(&expr, from, ranges)
            || self.rewriter.applies(&LET_FLOAT, &arguments, &Path::from(outer))
    }

    /// Where `letFloat` is applied for this, and its arguments.
    fn way(&self, place: &[usize], to: To) -> (Place, [Argument; 2]) {
        let spot = self.spot(to);
        let is_let = matches!(self.at(&spot.place).kind, ExprKind::Let { .. });
        let before = if is_let { vec![spot.part] } else { Vec::new() };
        let from = self.here().iter().chain(place).skip(spot.place.len()).copied().collect();
        (spot.place.clone(), [before, from].map(|place| Argument::Place(Path::from(place))))
    }

    /// Lets an expression float whose place starts here, or the `let` that has it as its value. Returns the
    /// part of the `let` that it becomes.
    pub(super) fn float(&mut self, place: &[usize], to: To) -> Result<usize, Failure> {
        let spot = self.spot(to).clone();
        let (outer, arguments) = self.way(place, to);
        let (count, left) = self.floating(&[self.here(), place].concat());
        let is_let = matches!(self.at(&outer).kind, ExprKind::Let { .. });
        self.rewriter.apply(&LET_FLOAT, &arguments, &Path::from(outer))?;
        let left = left.map(|mut left| {
            moved(&mut left.place, &spot, count, !is_let);
            match left.place == spot.place && left.part >= spot.part {
                true => Spot { part: left.part + count, ..left },
                false => left,
            }
        });
        self.bound(&spot, count, !is_let);
        if let Some(left) = left {
            self.unbound(&left);
        }
        Ok(spot.part)
    }

    /// The number of `let`s that float from a place, and the part of a `let` that is no more.
    fn floating(&self, place: &[usize]) -> (usize, Option<Spot>) {
        if let ExprKind::Let { bindings, .. } = &self.at(place).kind {
            return (bindings.len(), None);
        }
        let left = place.split_last().and_then(|(part, outer)| match &self.at(outer).kind {
            ExprKind::Let { bindings, .. } if *part < bindings.len() => {
                Some(Spot { place: outer.to_vec(), part: *part })
            }
            _ => None,
        });
        (1, left)
    }

    /// Moves all places along after `count` variables were bound at a spot. Where there was no `let` before,
    /// what stood there is the body of a new one.
    fn bound(&mut self, at: &Spot, count: usize, is_new: bool) {
        for walk in &mut self.walks {
            if is_new && walk.here.starts_with(&at.place) {
                let inside = walk.entered.iter_mut().filter(|length| **length >= at.place.len());
                inside.for_each(|length| *length += 1);
            }
            if is_new && walk.here == at.place {
                walk.here.push(count);
            } else {
                moved(&mut walk.here, at, count, is_new);
            }
            for spot in walk.scopes.iter_mut().chain([&mut walk.stages]) {
                if spot.place == at.place && spot.part >= at.part {
                    spot.part += count;
                }
                moved(&mut spot.place, at, count, is_new);
            }
        }
    }

    /// Moves all places along after a part of a `let` was taken away. A `let` without variables is its body.
    fn unbound(&mut self, left: &Spot) {
        let is_let = |expr: &Expr| matches!(expr.kind, ExprKind::Let { .. });
        let is_gone = !is_let(&self.at(&left.place));
        for walk in &mut self.walks {
            if is_gone && walk.here.starts_with(&left.place) {
                let inside = walk.entered.iter_mut().filter(|length| **length > left.place.len());
                inside.for_each(|length| *length -= 1);
            }
            let places = walk.scopes.iter_mut().chain([&mut walk.stages]).map(|spot| {
                if spot.place == left.place && spot.part > left.part {
                    spot.part -= 1;
                }
                &mut spot.place
            });
            for place in places.chain([&mut walk.here]) {
                let depth = left.place.len();
                if !place.starts_with(&left.place) || place.len() == depth {
                    continue;
                }
                if is_gone {
                    place.remove(depth);
                } else if place[depth] > left.part {
                    place[depth] -= 1;
                }
            }
        }
    }
}

/// Moves a place along that is inside of where `count` variables were bound.
fn moved(place: &mut Place, at: &Spot, count: usize, is_new: bool) {
    let depth = at.place.len();
    if !place.starts_with(&at.place) || place.len() == depth {
        return;
    }
    if is_new {
        place.insert(depth, count);
    } else if place[depth] >= at.part {
        place[depth] += count;
    }
}
