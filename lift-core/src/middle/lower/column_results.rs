//! Computes a result that a program makes column by column as rows.
//!
//! Who normalises columns writes `a >> transpose >> map(|column| column >> map(f)) >> transpose`.
//! Neighbouring work-items are those of the innermost map, which would read and write elements that lie a row
//! apart. The maps are interchanged (loop interchange), and then neighbours are neighbours in memory.
//!
//! Input: a program with its stages, none of which has workers. Output: steps for what is transposed twice,
//! before and after such maps. What is transposed once lies apart in one of the two arrays in any case. The
//! inner map takes what is there: interchanged, each of its results would compute it again.

use crate::ir::typed::MapKind;
use crate::middle::rewrite::rules::{MAP_MAP_INTERCHANGE, REMOVE_INVERSES};
use crate::middle::rewrite::{Pattern, Strategy};

/// The steps for all of them.
pub(super) fn as_rows() -> Strategy {
    let map = || Pattern::Map(MapKind::Unspecified);
    let without = |loops: Pattern| Pattern::Not(Box::new(loops.inside()));
    let of_element = map().with_body(Pattern::Element).with_body(without(Pattern::AnyReduce));
    let of_view = of_element.with_body(without(Pattern::Iterate)).with_input(Pattern::View);
    let maps = map().with_body(of_view);
    let in_input = |input: Pattern| Pattern::Transpose.with_input(maps.clone().with_input(input));
    let interchanged = Strategy::in_order([
        Strategy::rule(&MAP_MAP_INTERCHANGE).in_input(),
        Strategy::rule(&REMOVE_INVERSES),
    ]);
    let of_columns = interchanged.clone().where_it_is(in_input(Pattern::Transpose));
    // Beside what was computed of each column.
    let of_columns_beside = interchanged.where_it_is(in_input(Pattern::Zip.with_part(Pattern::Transpose)));
    Strategy::Choice(vec![of_columns, of_columns_beside])
        .outside_functions()
        .tried()
        .named("columnsAsRows", Vec::new())
}
