//! Stencils in two dimensions whose numbers of results strips or tiles do not divide: results are added
//! until they do. The added ones are computed of borders that are repeated, and not stored.

use super::super::super::rule::Argument;
use super::super::super::rules::{REORDER_IN_ROWS, ROUND_UP_STENCIL_2, SLIDE_3_BY_ROWS};
use super::super::super::strategy::Strategy;
use super::levels::{global, in_inputs, nested};
use super::registers::{register_blocks, rolling_rows};
use crate::ir::nat::Nat;

/// Rows that roll through registers, for any number of rows: each strip has this number of results, and reads
/// `strip` rows. Vectors have to fill the rows.
pub(crate) fn rolling_rows_of_any_number(width: Argument, results: i128, strip: i128) -> Strategy {
    rolling(width, [results, strip], 1)
}

/// The same for boxes, whose planes roll: neighbouring work-items compute neighbouring rows.
pub(crate) fn rolling_planes_of_any_number(width: Argument, results: i128, strip: i128) -> Strategy {
    let of_rows = nested(&[global(1)], rolling(width, [results, strip], 2));
    Strategy::in_order([Strategy::rule(&SLIDE_3_BY_ROWS), of_rows.in_input()])
}

fn rolling(width: Argument, [results, strip]: [i128; 2], strips: u8) -> Strategy {
    let rolling = rolling_rows(width, &Nat::constant(strip), strips);
    let rounded = Strategy::in_order([rounded_up([results, 1]), at_stencil(&rolling)]);
    Strategy::Choice(vec![rounded, rolling])
}

/// Blocks of windows in registers, for any numbers of rows and columns: a group computes a tile with this
/// number of rows and columns of results. It reads `tile` rows and columns, and each work-item `block`.
pub(crate) fn window_tiles_of_any_size(results: [i128; 2], tile: [i128; 2], block: [i128; 2]) -> Strategy {
    let sizes = |sides: [i128; 2]| sides.map(|side| Argument::Size(Nat::constant(side)));
    let tiled = register_blocks(sizes(tile), sizes(block));
    let rounded = Strategy::in_order([rounded_up(results), at_stencil(&tiled)]);
    Strategy::Choice(vec![rounded, tiled])
}

fn rounded_up(results: [i128; 2]) -> Strategy {
    let multiples = results.map(|results| Argument::Size(Nat::constant(results)));
    Strategy::Apply(&ROUND_UP_STENCIL_2, multiples.into())
}

/// At a stencil to which results were added, below the slices that leave them out: those of rows and of
/// columns, those of columns, those of rows, or none, where the numbers were multiples already. A slice of
/// each row becomes a slice of the columns, because stores go through layouts of a whole array only.
fn at_stencil(strategy: &Strategy) -> Strategy {
    let of_rows = |strategy| Strategy::in_order([Strategy::rule(&REORDER_IN_ROWS), in_inputs(3, strategy)]);
    Strategy::Choice(vec![
        of_rows(strategy.clone()).in_input(),
        of_rows(strategy.clone()),
        strategy.clone().in_input(),
        strategy.clone(),
    ])
}
