//! Products whose reductions are cut into pieces, so that there is work for all groups of a device where a
//! product has few results and long reductions: one product for each piece, and sums of their results
//! (split-k of CUTLASS, and of Triton's matrix products).

use super::super::super::mismatch::Mismatch;
use super::super::super::pattern::Pattern;
use super::super::super::rewriter::Rewriter;
use super::super::super::rule::{Argument, Kind};
use super::super::super::rules;
use super::super::super::strategy::Strategy;
use super::super::NamedStrategy;
use super::super::columns::first_reduction;
use super::filled_tiles::elements_filled;
use super::{at_reduction, bare_pairs, cancelled, in_dimension, place, sized, split_off};
use crate::ir::nat::Nat;
use crate::ir::typed::{Expr, MapKind, Path};

/// A product for each piece of the reductions.
pub const PRODUCT_IN_PIECES: NamedStrategy = NamedStrategy {
    name: "productInPieces",
    summary: "A map of a map of reductions becomes one for each piece of `length` elements of the reductions, \
              without workers; work-items reduce the results of all pieces.",
    origin: "partial reduction (ICFP 2015, section 4.1) of each pair; split-k of CUTLASS",
    parameters: &[("length", Kind::Size)],
    make: |program, arguments| {
        let [Argument::Size(length)] = arguments else { return Err(Mismatch::Arguments) };
        let mut rewriter = Rewriter::new(program);
        let no_pairs = || Mismatch::form("a map of a map of reductions", &program.body, 0);
        rewriter.run(&bare_pairs()).map_err(|_| no_pairs())?;
        let (place, pairs) = first_pairs(rewriter.body(), &Path::root()).ok_or_else(no_pairs)?;
        let in_pieces = product_in_pieces(pairs, length).ok_or_else(no_pairs)?;
        Ok(Strategy::in_order([bare_pairs(), Strategy::At(place, Box::new(in_pieces))]))
    },
};

/// The first map of a map of reductions, inner ones first.
fn first_pairs<'e>(expr: &'e Expr, here: &Path) -> Option<(Path, &'e Expr)> {
    let inside =
        expr.children().enumerate().find_map(|(position, child)| first_pairs(child, &here.child(position)));
    let reductions = || Pattern::map_of_reductions(MapKind::Unspecified);
    let pairs = || Pattern::Map(MapKind::Unspecified).with_body(reductions());
    inside.or_else(|| pairs().matches(expr).then(|| (here.clone(), expr)))
}

/// The strategy for a map of a map of reductions, which are cut into pieces of this length. `None` if it is
/// none.
pub(crate) fn product_in_pieces(pairs: &Expr, length: &Nat) -> Option<Strategy> {
    let of_row = pairs.function_body()?;
    let (reduction, _) = first_reduction(of_row.function_body()?, &Path::root())?;
    Some(Strategy::in_order([
        elements_filled(length),
        pieces_reduced(&reduction, length),
        pieces_first().outermost().in_input(),
        results(),
    ]))
}

/// The reductions of a map of a map become reductions of what pieces give: a map of a map of a map of those,
/// and one of these.
fn pieces_reduced(reduction: &Path, length: &Nat) -> Strategy {
    let fused = Strategy::in_order([
        Strategy::rule(&rules::MAP_F_BEFORE_SPLIT).in_input(),
        Strategy::rule(&rules::MAP_FUSION),
        Strategy::rule(&rules::ROWS_INSIDE_ZIP).in_input(),
        Strategy::rule(&rules::MAP_FUSION),
    ]);
    let partial = Strategy::in_order([
        Strategy::rule(&rules::REDUCE_MAP_FISSION).tried(),
        sized(&rules::PARTIAL_REDUCE, length),
        fused.in_input(),
    ]);
    // What is zipped with the columns has no part in the pieces, and the columns have none in the results.
    let narrowed = Strategy::rule(&rules::ZIP_OF_USED).outermost().repeated(2);
    let map = || Pattern::Map(MapKind::Unspecified);
    let beside = Strategy::with(&rules::MAP_FISSION, place(&[0, 1]))
        .where_it_is(map().with_body(map().with_input(Pattern::Zip)));
    Strategy::in_order([
        at_reduction(partial),
        Strategy::in_order([
            Strategy::with(&rules::MAP_FISSION, Argument::Place(reduction.child(0))),
            narrowed.clone(),
        ])
        .in_function(),
        Strategy::Choice(vec![beside, split_off()]),
        narrowed,
    ])
}

/// The pieces of all rows and columns come first: a map of products. An array that was transposed is cut as
/// it lies in memory.
fn pieces_first() -> Strategy {
    let interchange = || Strategy::rule(&rules::MAP_MAP_INTERCHANGE);
    let as_stored = Strategy::in_order([
        Strategy::rule(&rules::TRANSPOSE_BEFORE_MAP_SPLIT).outermost().repeated(2).in_input(),
        cancelled().in_input(),
        Strategy::rule(&rules::MAP_FUSION_IN_ZIP).repeated(2),
    ]);
    Strategy::in_order([
        interchange().in_function(),
        split_off(),
        Strategy::in_order([interchange(), as_stored.in_input()]).in_input(),
    ])
}

/// The results of all pieces of a pair are reduced by a work-item. Neighbours read neighbours.
fn results() -> Strategy {
    let by_items = |dimension| in_dimension(&rules::MAP_GLB, dimension);
    Strategy::in_order([
        by_items(1),
        Strategy::in_order([by_items(0), Strategy::rule(&rules::REDUCE_SEQ).outermost().in_function()])
            .in_function(),
        // A stage of a program is stored already.
        Strategy::rule(&rules::TO_GLOBAL).tried(),
    ])
}
