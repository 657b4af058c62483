//! How the work-items of a group copy what a tile reads to local memory (Hagedorn's thesis, section 6.3).
//! Only what windows share is copied; other elements are read once.

use super::super::super::pattern::Pattern;
use super::super::super::rule::Argument;
use super::super::super::rules::{
    COPY_TO, INCREASE_COPY, MAP_MAP_F_BEFORE_TRANSPOSE, MAP_SEQ_UNROLL, SPLIT_JOIN, TRANSPOSED_COPY,
};
use super::super::super::strategy::Strategy;
use super::levels::{in_inputs, local, nest, nested};
use crate::ir::nat::Nat;
use crate::ir::typed::{AddressSpace, MapKind};

/// A way to copy a tile.
pub(super) enum Copies {
    /// As it is.
    AsItIs,
    /// With its columns as rows, in two dimensions: neighbouring work-items of dimension 0 copy neighbouring
    /// columns.
    Transposed,
    /// The same, with this many unused elements behind each column.
    Padded(Nat),
    /// The same without gaps, each column in straight-line steps of this many elements.
    Unrolled(Nat),
}

impl Copies {
    /// Copies all arrays in the focus that have windows of this many dimensions. The focus lies in the
    /// function of a work-group.
    pub(super) fn strategy(self, dimensions: usize) -> Strategy {
        let layouts = if dimensions == 1 { 1 } else { 3 };
        let copied = in_inputs(layouts, self.of_array(dimensions));
        copied.where_it_is(windows(dimensions)).everywhere()
    }

    /// The copy of the array at the focus.
    fn of_array(self, dimensions: usize) -> Strategy {
        let to_local = [Argument::Space(AddressSpace::Local), Argument::Map(MapKind::Unspecified)];
        let to_local = Strategy::Apply(&COPY_TO, to_local.into());
        let row_by_row = nested(&[local(0), local(1)], Strategy::in_order([]));
        let steps = match self {
            Copies::AsItIs => {
                let copy = nested(&nest(dimensions, local), Strategy::in_order([]));
                vec![copy.in_input()]
            }
            Copies::Transposed => vec![transposed(), in_inputs(2, row_by_row)],
            Copies::Padded(gap) => {
                let increased = [Argument::Size(Nat::zero()), Argument::Size(gap)];
                let increased = Strategy::Apply(&INCREASE_COPY, increased.into());
                // The copy lies below the map that increases its rows.
                vec![transposed(), increased.in_input(), in_inputs(3, row_by_row)]
            }
            Copies::Unrolled(step) => {
                let split = Strategy::with(&SPLIT_JOIN, Argument::Size(step));
                let steps = nested(&[Strategy::rule(&MAP_SEQ_UNROLL)], local(1));
                let of_column = Strategy::in_order([split, steps.in_input()]);
                vec![transposed(), in_inputs(2, nested(&[local(0)], of_column))]
            }
        };
        Strategy::Sequence([vec![to_local], steps].concat())
    }
}

/// What is copied is transposed before and after: a `transpose` of what is stored stands there now, which
/// copies the columns of the array.
fn transposed() -> Strategy {
    let columns = Strategy::rule(&MAP_MAP_F_BEFORE_TRANSPOSE);
    Strategy::in_order([Strategy::rule(&TRANSPOSED_COPY), in_inputs(2, columns)])
}

/// `slide`, `slide2d`, and so on.
fn windows(dimensions: usize) -> Pattern {
    if dimensions <= 1 {
        return Pattern::Slide;
    }
    let of_rows = Pattern::AnyMap.with_body(windows(dimensions - 1));
    Pattern::AnyMap.with_input(Pattern::Slide.with_input(of_rows))
}
