//! The context of an expression: the scopes around it, how often it is computed in each, and where its value
//! goes.

use std::sync::Arc;

use super::layout_reads::{shown_by, times_shown, with_same_elements};
use super::multiplicity::Multiplicity;
use super::producers::rearranged;
use super::reads::{Counting, collect_reads};
use crate::flat::FlatSet;
use crate::ir::nat::{Nat, Ranges, Substitution, Var};
use crate::ir::typed::{AddressSpace, Application, Expr, ExprKind, Layout, MapKind, Variable, is_same_place};
use crate::ir::types::Type;

/// The context of an expression.
#[derive(Clone)]
pub(super) struct Context {
    /// The scopes inside the functions around it, outermost first.
    scopes: Vec<Scope>,
    /// How often its elements are computed.
    pub(super) times: Multiplicity,
    /// Whether its elements are written to the destination of a result.
    pub(super) is_produced: bool,
    pub(super) destination: Destination,
    pub(super) read_by: ReadBy,
    /// The layouts directly around it.
    view: Option<View>,
}

/// The outermost of several layouts, and how often its elements are computed, in total and in each scope.
#[derive(Clone)]
struct View {
    ty: Type,
    times: Multiplicity,
    in_scopes: Vec<Multiplicity>,
}

/// The body of a function, or what follows a `let` in one.
#[derive(Clone)]
struct Scope {
    variables: FlatSet<u32>,
    positions: Vec<Var>,
    /// For each entry of this scope: how many times each element of the expression is computed.
    times: Multiplicity,
    /// For each entry of this scope: how many times the whole expression is evaluated.
    reached: Multiplicity,
}

/// The position of a scope in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Depth(pub(super) usize);

/// The destination of the elements of a value that is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    /// A destination of its own.
    Whole,
    /// A part of a larger array.
    Part,
    /// Memory of a group or a work-item that the user names.
    Named,
}

/// How the rows of an array are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadBy {
    /// Row by row.
    Row,
    /// Their elements one by one, in whatever order.
    Element,
}

impl Context {
    /// The context of an expression outside of functions that others read.
    pub(super) fn outside_functions(times: Multiplicity) -> Context {
        Context {
            scopes: Vec::new(),
            times,
            is_produced: false,
            destination: Destination::Whole,
            read_by: ReadBy::Row,
            view: None,
        }
    }

    /// The context of an expression outside of functions that kernels write.
    pub(super) fn of_produced() -> Context {
        Context { is_produced: true, ..Context::outside_functions(Multiplicity::ONCE) }
    }

    /// The number of scopes around.
    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub(super) fn is_outside_functions(&self) -> bool {
        self.scopes.is_empty()
    }

    /// The innermost scope.
    pub(super) fn innermost(&self) -> Depth {
        Depth(self.scopes.len().saturating_sub(1))
    }

    /// Whether an expression mentions nothing that the scopes around it bind.
    pub(super) fn is_closed(&self, expr: &Arc<Expr>) -> bool {
        self.home(expr).is_none()
    }

    /// The home of an expression: the innermost scope that binds something it mentions. It could be computed
    /// there, and not further out.
    pub(super) fn home(&self, expr: &Arc<Expr>) -> Option<Depth> {
        let mut mentioned = FlatSet::new();
        collect_reads(expr, &mut mentioned);
        let binds = |scope: &Scope| {
            !scope.variables.is_disjoint(&mentioned) || mentions_one_of(expr, &scope.positions)
        };
        self.scopes.iter().rposition(binds).map(Depth)
    }

    /// How often the elements of the expression are computed for each entry of a scope.
    pub(super) fn times_in(&self, depth: Depth) -> Multiplicity {
        self.scopes.get(depth.0).map_or(self.times, |scope| scope.times)
    }

    /// How often the expression is evaluated for each entry of a scope.
    pub(super) fn reached_in(&self, depth: Depth) -> Multiplicity {
        self.scopes.get(depth.0).map_or(Multiplicity::ONCE, |scope| scope.reached)
    }

    /// The context of a value that is computed and stored once for each entry of a scope.
    pub(super) fn at(&self, depth: Depth) -> Context {
        let mut scopes: Vec<Scope> = self.scopes.iter().take(depth.0 + 1).cloned().collect();
        if let Some(scope) = scopes.last_mut() {
            (scope.times, scope.reached) = (Multiplicity::ONCE, Multiplicity::ONCE);
        }
        let destination = Destination::Whole;
        Context {
            scopes,
            times: self.times,
            is_produced: true,
            destination,
            read_by: ReadBy::Row,
            view: None,
        }
    }

    /// The context of the rest of a body after a `let`.
    pub(super) fn after(&self, variable: &Variable) -> Context {
        let mut after = Context { view: None, ..self.clone() };
        after.enter(FlatSet::from([variable.id]), Vec::new());
        after
    }

    /// Adds a variable to a scope.
    pub(super) fn bind_in(&mut self, depth: Depth, variable: &Variable) {
        if let Some(scope) = self.scopes.get_mut(depth.0) {
            scope.variables.insert(variable.id);
        }
    }

    /// The context of the value of a `let`, whose elements are computed `times` times for each evaluation of
    /// the `let`.
    pub(super) fn of_bound(&self, times: Multiplicity) -> Context {
        let destination = Destination::Whole;
        let mut inner = Context { is_produced: false, destination, view: None, ..self.clone() };
        inner.repeat(times);
        inner
    }

    fn enter(&mut self, variables: FlatSet<u32>, positions: Vec<Var>) {
        self.scopes.push(Scope {
            variables,
            positions,
            times: Multiplicity::ONCE,
            reached: Multiplicity::ONCE,
        });
    }

    fn repeat(&mut self, times: Multiplicity) {
        self.times = self.times.times(times);
        for scope in &mut self.scopes {
            scope.times = scope.times.times(times);
        }
    }

    /// The context of a part of an expression other than a `let`.
    pub(super) fn of_part(&self, child: &Arc<Expr>, parent: &Expr, counting: &Counting) -> Context {
        let mut inner = Context {
            is_produced: self.is_produced && is_written_for(child, parent),
            destination: destination_of(child, parent, self.destination),
            read_by: how_read(parent, self.read_by),
            view: None,
            ..self.clone()
        };
        let application = parent.application();
        match application.filter(|one| is_same_place(child, &one.function().body)) {
            Some(application) => {
                let (function, times) = (application.function(), steps_of(application));
                inner.repeat(times);
                for scope in &mut inner.scopes {
                    scope.reached = scope.reached.times(times);
                }
                let variables = function.parameters.iter().map(|(variable, _)| variable.id).collect();
                inner.enter(variables, function.index.iter().cloned().collect());
            }
            None if shown_by(parent).is_some_and(|shown| is_same_place(shown, child)) => {
                inner.look_at(child, self.view_of(parent), &counting.ranges);
            }
            None => inner.repeat(reads_of_part(parent, counting)),
        }
        inner
    }

    /// The outermost of the layouts directly around.
    fn view_of(&self, layout: &Expr) -> View {
        self.view.clone().unwrap_or_else(|| View {
            ty: with_same_elements(layout).ty.clone(),
            times: self.times,
            in_scopes: self.scopes.iter().map(|scope| scope.times).collect(),
        })
    }

    /// Counts the elements of an array as often as the layouts around show them.
    fn look_at(&mut self, array: &Expr, view: View, ranges: &Ranges) {
        self.times = view.times;
        for (scope, times) in self.scopes.iter_mut().zip(&view.in_scopes) {
            scope.times = *times;
        }
        self.repeat(times_shown(&view.ty, &array.ty, ranges));
        self.view = Some(view);
    }
}

/// How often a function is applied. That of vectors is applied to all components at once.
fn steps_of(application: Application<'_>) -> Multiplicity {
    match application {
        Application::Lanewise(..) => Multiplicity::ONCE,
        Application::Map(..)
        | Application::Reduce(..)
        | Application::Scan(..)
        | Application::Iterate(..)
        | Application::Generate(_) => Multiplicity::Many,
    }
}

/// How often an expression reads the elements of its input arrays.
fn reads_of_part(expr: &Expr, counting: &Counting) -> Multiplicity {
    match expr.application() {
        Some(
            Application::Map(_, function, _)
            | Application::Reduce(_, function, _, _)
            | Application::Iterate(_, function, _),
        ) => counting.of_parameters(function),
        // One work-item walks over all elements in order, and should not compute them as well.
        Some(Application::Scan(..)) => Multiplicity::Many,
        Some(Application::Generate(_) | Application::Lanewise(..)) | None => Multiplicity::ONCE,
    }
}

/// How an expression reads its input, if it is read itself in this way.
fn how_read(expr: &Expr, itself: ReadBy) -> ReadBy {
    match &expr.kind {
        ExprKind::Layout(Layout::Transpose | Layout::Interleave | Layout::Join | Layout::AsScalar, _) => {
            ReadBy::Element
        }
        ExprKind::Map(MapKind::Unspecified, function, _) if function.inverse_layout().is_some() => itself,
        _ if expr.application().is_none() => itself,
        _ => ReadBy::Row,
    }
}

/// The destination of a part of an expression.
fn destination_of(child: &Arc<Expr>, parent: &Expr, whole: Destination) -> Destination {
    match &parent.kind {
        ExprKind::Store(Some(AddressSpace::Local | AddressSpace::Private), _) => Destination::Named,
        _ if !is_written_for(child, parent) => Destination::Whole,
        ExprKind::Concat(_) if whole == Destination::Whole => Destination::Part,
        _ => whole,
    }
}

/// Whether a part of an expression is written if the expression is.
fn is_written_for(child: &Arc<Expr>, parent: &Expr) -> bool {
    match &parent.kind {
        ExprKind::Tuple(_) | ExprKind::Concat(_) | ExprKind::Unzip(_) | ExprKind::Store(..) => true,
        // Of other forms, it is known of those that rearrange one input.
        _ => rearranged(parent).is_some_and(|input| is_same_place(child, input)),
    }
}

/// Whether an expression or its type mentions one of these positions.
pub(super) fn mentions_one_of(expr: &Arc<Expr>, positions: &[Var]) -> bool {
    let changed: Substitution =
        positions.iter().map(|position| (position.clone(), Nat::constant(-1))).collect();
    !changed.is_empty() && !Arc::ptr_eq(&expr.substitute(&changed), expr)
}
