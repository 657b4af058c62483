//! The form for a reduction of each of many pairs of a row and a column, such as a product of two matrices:
//! a group computes a tile of results from tiles of rows and columns in local memory. If one work-item
//! reduces a pair alone, it loads two elements for each step, and here an element serves a row or a column
//! of a block in registers.

use super::defaults::{PRODUCT_TILE, ProductTile};
use super::left_out::Reason;
use super::pairs::{Pairs, bytes_of_result, made, only, size};
use super::reductions::may_have;
use super::survey::Reduction;
use super::{Candidate, at_least, both, different, one_of};
use crate::compiled::{DeviceClass, Guard, Selection};
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::Program;
use crate::middle::rewrite::Argument;
use crate::middle::rewrite::strategies::FILLED_TILE_PRODUCT;

/// The form of a program that is such a product.
///
/// # Errors
/// Says why there is none.
pub(super) fn form(program: &Program, reductions: &[Reduction]) -> Result<Candidate, Reason> {
    let reduction = only(reductions)?;
    let tile = &PRODUCT_TILE;
    let pairs = Pairs::of(reduction, program).ok_or(Reason::NoPairs)?;
    let bytes = bytes_of_result(&program.body, reduction.source).ok_or(Reason::NoPairs)?;
    if bytes > tile.bytes {
        return Err(Reason::LargeResults);
    }
    if !may_have(&reduction.length, tile.least_length) {
        return Err(Reason::ShortPair { least: tile.least_length });
    }
    let many = many_pairs(&pairs, reduction, tile).ok_or(Reason::FewPairs)?;
    let thresholds = at_least(&reduction.length, tile.least_length).into_iter().chain(many);
    let selection = Selection::new("productTiles", DeviceClass::Accelerator);
    let selection = Selection { thresholds: different(thresholds), ..selection };
    let sizes = [tile.rows, tile.columns, tile.elements, tile.rows_per_item, tile.columns_per_item];
    let arguments = sizes.map(size).into_iter().chain([Argument::Width(tile.width)]).collect();
    made(program, &FILLED_TILE_PRODUCT, arguments, selection).ok_or(Reason::NoPairs)
}

/// The condition that there are many rows and columns, or very many rows. `None` if that never holds.
fn many_pairs(pairs: &Pairs<'_>, reduction: &Reduction, tile: &ProductTile) -> Option<Option<Guard>> {
    let at_least = |number: &Nat, least| Condition::LessOrEqual(Nat::constant(least), number.clone());
    let rows = at_least(pairs.rows, tile.least_side);
    let sides = match pairs.rows == pairs.columns {
        true => rows,
        false => both(rows, at_least(pairs.columns, tile.least_side)),
    };
    let results = at_least(&pairs.results(reduction), tile.least_results);
    let many_rows = both(at_least(pairs.rows, tile.many_rows), at_least(pairs.columns, tile.few_columns));
    one_of([both(sides, results), many_rows])
}
