//! Stores what rows are reduced to, before it is reduced as a whole.
//!
//! A sum of squares (`zip(a, y) >> map(|(row, y)| square(dotProduct(row, w) - y)) >> reduce(add, 0)`), a norm
//! of a matrix and `x^T A x` reduce each row, and then the results of the rows. In the plain form the
//! second reduction computes its elements while it reads them: a work-item walks along a row alone. Stored
//! first, they are the result of a map, and groups can share its rows ([`Cooperation`](super::Cooperation)).
//!
//! Input: a program without stages. Output: a step for each such array.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::ir::typed::{Binding, Expr, ExprKind, MapKind, Path, ReduceKind};
use crate::middle::rewrite::Strategy;
use crate::middle::rewrite::rules::STORE_BETWEEN;

/// The steps that store them.
pub(super) fn stored(body: &Rc<Expr>) -> Strategy {
    let store = |place| Strategy::At(place, Box::new(Strategy::rule(&STORE_BETWEEN)));
    let steps = Search::of(body).places.into_iter().map(store).collect();
    Strategy::Sequence(steps).named("reducedRowsStored", Vec::new())
}

/// Whether a program reduces rows, and then what they give.
pub(crate) fn holds_reduced_rows(body: &Rc<Expr>) -> bool {
    !Search::of(body).places.is_empty()
}

/// Looks for arrays that are made of reduced rows, and are reduced as a whole.
#[derive(Default)]
struct Search<'e> {
    /// The arrays that `let`s outside of functions bind, by the numbers of their variables.
    bound: BTreeMap<u32, (&'e Rc<Expr>, Path)>,
    /// The places that were found, inner ones first: what is stored moves deeper.
    places: Vec<Path>,
}

impl<'e> Search<'e> {
    fn of(body: &'e Rc<Expr>) -> Search<'e> {
        let mut search = Search::default();
        search.outside_functions(body, &Path::root());
        search
    }

    fn outside_functions(&mut self, expr: &'e Rc<Expr>, here: &Path) {
        for (position, child) in expr.children().enumerate() {
            if !expr.is_function_body(position) {
                self.outside_functions(child, &here.child(position));
            }
            if let ExprKind::Let { bindings, .. } = &expr.kind
                && let Some(Binding { variable, value }) = bindings.get(position)
            {
                self.bound.insert(variable.id, (value, here.child(position)));
            }
        }
        if let (ExprKind::Reduce(ReduceKind::Unspecified, ..), Some(position)) =
            (&expr.kind, expr.input_position())
            && let Some(input) = expr.input()
        {
            self.maps(input, &here.child(position));
        }
    }

    /// The maps that make an array, and whose functions reduce arrays.
    fn maps(&mut self, array: &'e Rc<Expr>, here: &Path) {
        match &array.kind {
            // It may be reduced several times.
            ExprKind::Map(MapKind::Unspecified, ..) if self.places.contains(here) => {}
            ExprKind::Map(MapKind::Unspecified, ..) if reduces(array) => self.places.push(here.clone()),
            ExprKind::Map(MapKind::Unspecified, _, input) | ExprKind::Layout(_, input) => {
                self.maps(input, &here.child(0));
            }
            ExprKind::Zip(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    self.maps(part, &here.child(position));
                }
            }
            ExprKind::Variable(variable) => {
                if let Some((value, place)) = self.bound.get(&variable.id).cloned() {
                    self.maps(value, &place);
                }
            }
            _ => {}
        }
    }
}

/// Whether the functions of the maps that make an array reduce arrays.
fn reduces(array: &Expr) -> bool {
    match &array.kind {
        ExprKind::Map(MapKind::Unspecified, function, input) => {
            holds_reduction(&function.body) || reduces(input)
        }
        ExprKind::Zip(parts) => parts.iter().any(|part| reduces(part)),
        ExprKind::Layout(_, input) => reduces(input),
        _ => false,
    }
}

fn holds_reduction(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Reduce(ReduceKind::Unspecified, ..))
        || expr.children().any(|child| holds_reduction(child))
}
