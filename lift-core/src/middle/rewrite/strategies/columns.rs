//! Reductions of columns. The elements of a column lie far apart in memory, but neighbouring work-items
//! reduce neighbouring columns, and so read neighbours.
//!
//! There are often fewer columns than a device has work-items. So each column is cut into pieces, which
//! work-items of another dimension reduce, and a second kernel reduces their results (the column reductions
//! of XLA and nvFuser; `rfactor` of TVM).

use super::super::mismatch::Mismatch;
use super::super::pattern::Pattern;
use super::super::rule::{Argument, Kind};
use super::super::rules;
use super::super::strategy::Strategy;
use super::NamedStrategy;
use super::parts::{in_dimension, sized};
use crate::ir::nat::Nat;
use crate::ir::typed::{Expr, ExprKind, MapKind, Path, ReduceKind};

/// Two kernels: pieces of columns, and their results.
pub const COLUMNS_IN_PIECES: NamedStrategy = NamedStrategy {
    name: "columnsInPieces",
    summary: "Work-items reduce at most `pieces` pieces of each array that a map reduces; others reduce \
              their results.",
    origin: "partial reduction (ICFP 2015, section 4.1) of each column",
    parameters: &[("pieces", Kind::Size)],
    make: |program, arguments| match arguments {
        [Argument::Size(pieces)] => {
            let (place, map) = map_of_reduction(&program.body, &Path::root())
                .ok_or_else(|| Mismatch::form("a program with a map of reductions", &program.body, 0))?;
            let length = |column: &Nat, _: &Nat| ceiling(column, pieces);
            let strategy = columns_in_pieces(map, length).ok_or(Mismatch::Arguments)?;
            Ok(Strategy::At(place, Box::new(strategy)))
        }
        _ => Err(Mismatch::Arguments),
    },
};

/// The first map of reductions, inner ones first.
fn map_of_reduction<'e>(expr: &'e Expr, here: &Path) -> Option<(Path, &'e Expr)> {
    let inside = expr
        .children()
        .enumerate()
        .find_map(|(position, child)| map_of_reduction(child, &here.child(position)));
    inside.or_else(|| {
        let is_wanted = Pattern::map_of_reductions(MapKind::Unspecified).matches(expr);
        is_wanted.then(|| (here.clone(), expr))
    })
}

/// How columns are cut into pieces, which different work-items reduce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pieces {
    /// How many work-items have a piece each: more gain nothing.
    pub items: i128,
    /// How many pieces a column has: more take long to put together.
    pub most: i128,
    /// How many elements a piece has: with fewer, a work-item does little beside starting.
    pub least: i128,
}

/// The elements of a column are counted in steps of this, so that no product of sizes is larger than an
/// array.
const STEP: i128 = 64;

impl Pieces {
    /// The length of the pieces of columns of a length: about `column * columns / items + column / most`, and
    /// at least the least.
    pub(crate) fn length(&self, column: &Nat, columns: &Nat) -> Nat {
        let steps = column.divide(&Nat::constant(STEP));
        let weight = columns + &Nat::constant(self.items / self.most);
        let length = (steps * weight).divide(&Nat::constant(self.items / STEP));
        Nat::max(&length, &Nat::constant(self.least))
    }
}

/// A number divided by another one, rounded up.
pub(crate) fn ceiling(length: &Nat, divisor: &Nat) -> Nat {
    (length + divisor - Nat::one()).divide(divisor)
}

/// A map whose function reduces an array: work-items reduce pieces of it, whose length follows from the
/// lengths of the array and of the map. `None` if its function reduces none.
pub(crate) fn columns_in_pieces(map: &Expr, length: impl Fn(&Nat, &Nat) -> Nat) -> Option<Strategy> {
    let (place, reduction) = first_reduction(map.function_body()?, &Path::root())?;
    let ExprKind::Reduce(_, _, _, array) = &reduction.kind else { return None };
    let piece = length(&array.ty.as_array()?.length, &map.ty.as_array()?.length);
    let partial = Strategy::in_order([
        Strategy::rule(&rules::REDUCE_MAP_FISSION).tried(),
        Strategy::with(&rules::PARTIAL_REDUCE_UNEVEN, Argument::Size(piece)),
    ]);
    let by_item = |dimension| Strategy::with(&rules::MAP_GLB, Argument::Dimension(dimension));
    let pieces_by_items = Strategy::in_order([
        by_item(1).in_function(),
        by_item(0),
        Strategy::rule(&rules::TO_GLOBAL),
        // Neighbours write neighbours.
        Strategy::rule(&rules::TRANSPOSED_COPY),
    ]);
    // What is zipped with the columns has no part in the pieces, and the columns have none in the results.
    let narrowed = Strategy::rule(&rules::ZIP_OF_USED).outermost().repeated(2);
    Some(Strategy::in_order([
        Strategy::At(place.clone(), Box::new(partial)).in_function(),
        Strategy::with(&rules::MAP_FISSION, Argument::Place(place.child(0))),
        narrowed,
        // The map of the pieces is the input, or is zipped with it.
        pieces_by_items.outermost().in_input(),
        results(&place, COLUMNS),
    ]))
}

/// The columns for a group that puts the results of pieces together. With eight work-items for each, a launch
/// gives a group one for each of them.
const COLUMNS: i128 = 16;

/// The work-items for each of these columns. One alone would wait for one load after the other.
const ITEMS_OF_COLUMN: i128 = 8;

/// The results of the pieces are reduced for each column, by a few work-items. A group has this number of
/// columns. `reduction` is where the function of the map reduces.
pub(super) fn results(reduction: &Path, columns: i128) -> Strategy {
    let by_lane = |dimension| in_dimension(&rules::MAP_LCL, dimension);
    let kept = Strategy::in_order([Strategy::rule(&rules::REDUCE_SEQ), Strategy::rule(&rules::TO_LOCAL)]);
    let parts = Strategy::in_order([by_lane(1), kept.in_function()]);
    let of_column = Strategy::in_order([
        Strategy::At(
            reduction.clone(),
            Box::new(sized(&rules::CYCLIC_REDUCE, &Nat::constant(ITEMS_OF_COLUMN))),
        )
        .in_function(),
        Strategy::with(&rules::MAP_FISSION, Argument::Place(reduction.child(0))),
        // It is the input, or is zipped with it.
        Strategy::in_order([by_lane(0), parts.in_function()]).outermost().in_input(),
        by_lane(0),
        Strategy::rule(&rules::REDUCE_SEQ).outermost().in_function(),
        Strategy::rule(&rules::TO_GLOBAL),
    ]);
    Strategy::in_order([
        sized(&rules::SPLIT_JOIN_UNEVEN, &Nat::constant(columns)),
        Strategy::in_order([in_dimension(&rules::MAP_WRG, 0), of_column.in_function()]).in_input(),
    ])
}

/// The first reduction that stands in no function, and its place.
pub(super) fn first_reduction<'e>(expr: &'e Expr, here: &Path) -> Option<(Path, &'e Expr)> {
    if let ExprKind::Reduce(ReduceKind::Unspecified, ..) = &expr.kind {
        return Some((here.clone(), expr));
    }
    let children = expr.children().enumerate();
    children
        .filter(|(position, _)| !expr.is_function_body(*position))
        .find_map(|(position, child)| first_reduction(child, &here.child(position)))
}
