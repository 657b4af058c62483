//! Stores what rows are reduced to, before it is reduced again.
//!
//! A sum of squares (`zip(a, y) >> map(|(row, y)| square(dotProduct(row, w) - y)) >> reduce(add, 0)`), a norm
//! of a matrix and `x^T A x` reduce each row, and then the results of the rows, as a whole or in parts
//! (`a >> map(reduce(add, 0)) >> split(4) >> map(reduce(max, 0))`). The rows may be those of planes
//! (`a >> map(|plane| plane >> map(reduce(add, 0)) >> reduce(max, 0))`). In the plain form the second
//! reduction computes its elements while it reads them: a work-item walks along a row alone. Stored first,
//! they are the result of a map, and groups can share its rows ([`Cooperation`](super::Cooperation)). The same
//! holds where a map takes the results in another order or beside others
//! (`a >> map(reduce(add, 0)) >> reverse >> map(f)`).
//!
//! A reduction that accumulates numbers of rows (`a >> reduce(|sum, row| sum + dotProduct(row, x), 0)`)
//! becomes a map and a reduction before.
//!
//! What is stored takes less memory than the rows that it is made of. So nothing is stored in a function that
//! takes windows, or that combines its element with all rows of another array, as a search for the nearest
//! point does: its distances are stored in forms that compute them in tiles (`pairs`), since each element
//! that a group reads serves many pairs there.
//!
//! Input: a program without stages. Output: the steps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, Layout, MapKind, Path, ReduceKind};
use crate::ir::types::Type;
use crate::middle::rewrite::rules::{MAP_FISSION, MAP_LET_FISSION, REDUCE_MAP_FISSION, STORE_BETWEEN};
use crate::middle::rewrite::{Argument, Pattern, Strategy};

/// What a reduction makes of each row gets a map of its own, where that is possible.
pub(super) fn taken_apart() -> Strategy {
    Strategy::rule(&REDUCE_MAP_FISSION).where_it_is(accumulates_rows()).outside_functions().tried()
}

/// A reduction whose function reduces rows.
fn accumulates_rows() -> Pattern {
    Pattern::Reduce(ReduceKind::Unspecified).with_body(Pattern::AnyReduce.inside())
}

/// The step that gives a map of its own to the first of them that a `let` binds in the function of a map;
/// `None` if there is none.
pub(super) fn bound_in_function(body: &Arc<Expr>, pairs: bool) -> Option<Strategy> {
    Search::of(body, pairs).places.iter().find_map(|place| place.bound_in_function(body))
}

/// The steps that store them, and on request also the results of pairs of rows.
pub(super) fn stored(body: &Arc<Expr>, pairs: bool) -> Strategy {
    let steps = Search::of(body, pairs).places.iter().map(Place::stored).collect();
    Strategy::Sequence(steps).named("reducedRowsStored", Vec::new())
}

/// Where an array of reduced rows stands.
#[derive(Clone, PartialEq)]
struct Place {
    array: Path,
    /// The map in whose function it stands, if it is in just one.
    map: Option<Path>,
}

impl Place {
    /// In a function, the rows get a map of their own, however few they are: a work-item would keep few.
    fn stored(&self) -> Strategy {
        let at = |place: &Path, strategy| Strategy::At(place.clone(), Box::new(strategy));
        let store = Strategy::rule(&STORE_BETWEEN);
        let here = at(&self.array, store.clone());
        let Some((map, part)) = self.in_function() else { return here.tried() };
        let rows = store.where_it_is(Pattern::map_of_reductions(MapKind::Unspecified));
        let apart = Strategy::in_order([
            Strategy::with(&MAP_FISSION, Argument::Place(part)),
            rows.outermost().in_input(),
        ]);
        Strategy::Choice(vec![at(map, apart), here]).tried()
    }

    /// A map of its own, if it is what a `let` binds in the function of the map around.
    fn bound_in_function(&self, body: &Arc<Expr>) -> Option<Strategy> {
        let (map, part) = self.in_function()?;
        let [position] = part.positions() else { return None };
        let ExprKind::Let { bindings, .. } = &body.at_path(map)?.function_body()?.kind else { return None };
        let fission = Strategy::with(&MAP_LET_FISSION, Argument::Place(part.clone()));
        (*position < bindings.len()).then(|| Strategy::At(map.clone(), Box::new(fission)))
    }

    /// The map around, and the place of the array in the body of its function.
    fn in_function(&self) -> Option<(&Path, Path)> {
        let map = self.map.as_ref()?;
        let [_, part @ ..] = self.array.positions().strip_prefix(map.positions())? else { return None };
        Some((map, Path::from(part.to_vec())))
    }
}

/// Whether a program reduces rows, and then what they give.
pub(crate) fn holds_reduced_rows(body: &Arc<Expr>) -> bool {
    accumulates_rows().inside().matches(body) || !Search::of(body, false).places.is_empty()
}

/// Whether a program reduces pairs of rows, and then what all pairs of one row give.
pub(crate) fn holds_reduced_pairs(body: &Arc<Expr>) -> bool {
    Search::of(body, true).places.len() > Search::of(body, false).places.len()
}

/// Looks for arrays that are made of reduced rows, and are reduced again.
#[derive(Default)]
struct Search<'e> {
    /// Whether the results of pairs of rows are looked for as well.
    pairs: bool,
    /// What the functions of maps take, and what `let`s make of it, by the numbers of their variables.
    parameters: BTreeSet<u32>,
    /// The variables that are bound in the functions around, and whether these know their positions.
    local: BTreeSet<u32>,
    knows_positions: bool,
    /// The arrays that `let`s bind, by the numbers of their variables.
    bound: BTreeMap<u32, Bound<'e>>,
    /// The maps around, outermost first, with what they take.
    maps: Vec<(Path, &'e Arc<Expr>)>,
    /// The variables whose arrays were looked at.
    seen: BTreeSet<(u32, Results)>,
    /// The places that were found, inner ones first: what is stored moves deeper.
    places: Vec<Place>,
}

/// The results of functions that are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Results {
    All,
    /// Scalars, vectors and tuples of them.
    Elements,
}

impl Results {
    fn hold(self, result: &Type) -> bool {
        self == Results::All || result.is_element()
    }
}

/// What a `let` binds.
#[derive(Clone)]
struct Bound<'e> {
    value: &'e Arc<Expr>,
    place: Path,
    repeats_elements: bool,
}

impl<'e> Search<'e> {
    fn of(body: &'e Arc<Expr>, pairs: bool) -> Search<'e> {
        let mut search = Search { pairs, ..Search::default() };
        search.outside_functions(body, &Path::root());
        search
    }

    fn outside_functions(&mut self, expr: &'e Arc<Expr>, here: &Path) {
        for (position, child) in expr.children().enumerate() {
            if !expr.is_function_body(position) {
                self.outside_functions(child, &here.child(position));
            }
            if let ExprKind::Let { bindings, .. } = &expr.kind
                && let Some(binding) = bindings.get(position)
            {
                self.bind(binding, &here.child(position));
            }
        }
        match &expr.kind {
            ExprKind::Reduce(ReduceKind::Unspecified, _, _, input) => {
                self.maps(input, &here.child(0), Results::All);
            }
            ExprKind::Map(MapKind::Unspecified, function, input) => {
                let wanted = if self.pairs { Results::All } else { Results::Elements };
                match takes_arrays(function) && holds_reduction(&function.body) {
                    true => self.maps(input, &here.child(0), wanted),
                    false => self.rearranged(input, &here.child(0)),
                }
                self.function_of_map(expr, function, input, here);
            }
            _ => {}
        }
    }

    /// Reduced rows that a map reads in another order, or beside other elements. (A map that reads them in their
    /// own order is fused with the map that computes them.)
    fn rearranged(&mut self, array: &'e Arc<Expr>, here: &Path) {
        match &array.kind {
            ExprKind::Layout(..) | ExprKind::Concat(_) => self.maps(array, here, Results::Elements),
            ExprKind::Zip(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    self.rearranged(part, &here.child(position));
                }
            }
            _ => {}
        }
    }

    fn bind(&mut self, Binding { variable, value }: &'e Binding, here: &Path) {
        if self.is_of_parameter(value) {
            self.parameters.insert(variable.id);
        }
        let repeats_elements = self.repeats_elements(value);
        self.bound.insert(variable.id, Bound { value, place: here.clone(), repeats_elements });
    }

    /// The function of a map of an array. It may hold other maps.
    fn function_of_map(&mut self, map: &Expr, function: &'e Lambda, array: &'e Arc<Expr>, here: &Path) {
        self.parameters.extend(function.parameters.iter().map(|(variable, _)| variable.id));
        let around = (self.local.clone(), self.knows_positions);
        self.local.extend(function.parameters.iter().map(|(variable, _)| variable.id));
        self.knows_positions |= function.index.is_some();
        self.maps.push((here.clone(), array));
        self.in_function(&function.body, &here.child(map.children().len() - 1));
        self.maps.pop();
        (self.local, self.knows_positions) = around;
    }

    fn in_function(&mut self, expr: &'e Arc<Expr>, here: &Path) {
        for (position, child) in expr.children().enumerate() {
            if !expr.is_function_body(position) {
                self.in_function(child, &here.child(position));
            }
            if let ExprKind::Let { bindings, .. } = &expr.kind
                && let Some(binding) = bindings.get(position)
            {
                self.local.insert(binding.variable.id);
                self.bind(binding, &here.child(position));
            }
        }
        match &expr.kind {
            ExprKind::Reduce(ReduceKind::Unspecified, _, _, input)
                if (self.pairs || self.is_of_parameter(input)) && !self.repeats_elements(input) =>
            {
                self.maps(input, &here.child(0), Results::Elements);
            }
            ExprKind::Map(MapKind::Unspecified, function, input) => {
                self.function_of_map(expr, function, input, here);
            }
            _ => {}
        }
    }

    /// Whether an array is made of something that a function takes.
    fn is_of_parameter(&self, array: &Expr) -> bool {
        match &array.kind {
            ExprKind::Variable(variable) => self.parameters.contains(&variable.id),
            ExprKind::Map(_, _, input) | ExprKind::Layout(_, input) | ExprKind::Component(input, _) => {
                self.is_of_parameter(input)
            }
            ExprKind::Zip(parts) => parts.iter().any(|part| self.is_of_parameter(part)),
            _ => false,
        }
    }

    /// Whether an array shows elements several times, as windows do.
    fn repeats_elements(&self, array: &Expr) -> bool {
        match &array.kind {
            ExprKind::Layout(Layout::Slide { .. }, _) | ExprKind::Repeat(..) => true,
            ExprKind::Variable(variable) => {
                self.bound.get(&variable.id).is_some_and(|bound| bound.repeats_elements)
            }
            _ => array.children().any(|child| self.repeats_elements(child)),
        }
    }

    /// Whether the functions of the maps that make an array reduce arrays, in each call of the functions
    /// around. What is the same for all calls becomes a stage of its own.
    fn reduces(&self, array: &Expr) -> bool {
        match &array.kind {
            ExprKind::Map(MapKind::Unspecified, function, input) => {
                holds_reduction(&function.body) && self.is_of_call(array) || self.reduces(input)
            }
            ExprKind::Zip(parts) => parts.iter().any(|part| self.reduces(part)),
            ExprKind::Layout(_, input) => self.reduces(input),
            _ => false,
        }
    }

    /// Whether an array may differ from one call of the functions around to the next.
    fn is_of_call(&self, array: &Expr) -> bool {
        self.maps.is_empty() || self.knows_positions || mentions(array, &self.local)
    }

    /// The maps that make an array, whose functions reduce arrays and have such results.
    fn maps(&mut self, array: &'e Arc<Expr>, here: &Path, wanted: Results) {
        match &array.kind {
            // It may be reduced several times.
            ExprKind::Map(MapKind::Unspecified, ..)
                if self.places.iter().any(|place| place.array == *here) => {}
            ExprKind::Map(MapKind::Unspecified, function, _)
                if wanted.hold(&function.body.ty) && self.reduces(array) =>
            {
                let map = match self.maps.as_slice() {
                    [(map, _)] => Some(map.clone()),
                    _ => None,
                };
                let repeat = |(_, taken): &(Path, &'e Arc<Expr>)| self.repeats_elements(taken);
                if !self.maps.iter().any(repeat) {
                    self.places.push(Place { array: here.clone(), map });
                }
            }
            ExprKind::Map(MapKind::Unspecified, _, input) | ExprKind::Layout(_, input) => {
                self.maps(input, &here.child(0), wanted);
            }
            ExprKind::Zip(parts) | ExprKind::Concat(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    self.maps(part, &here.child(position), wanted);
                }
            }
            ExprKind::Variable(variable) if self.seen.insert((variable.id, wanted)) => {
                if let Some(Bound { value, place, .. }) = self.bound.get(&variable.id).cloned() {
                    self.maps(value, &place, wanted);
                }
            }
            _ => {}
        }
    }
}

/// Whether a function takes arrays, alone or with others.
fn takes_arrays(function: &Lambda) -> bool {
    function.parameters.iter().any(|(_, ty)| !ty.is_element())
}

fn mentions(expr: &Expr, variables: &BTreeSet<u32>) -> bool {
    matches!(&expr.kind, ExprKind::Variable(read) if variables.contains(&read.id))
        || expr.children().any(|child| mentions(child, variables))
}

fn holds_reduction(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(ReduceKind::Unspecified, ..))
        || expr.children().any(|child| holds_reduction(child))
}
