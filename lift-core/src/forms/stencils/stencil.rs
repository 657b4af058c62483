//! A stencil of a program: what it reads, which forms suit it, and from which sizes on they are worth it.

use std::rc::Rc;

use super::super::defaults::{
    BLOCK_OF_RESULTS, FULL_WINDOW, LARGE_WINDOW, LONG_STRIP, LONGEST_SIDE, MANY_ELEMENTS, MANY_WINDOWS,
    MOST_REGISTERS, SHORT_STRIP, TALL_WINDOW, TILE_BYTES, TILE_OF_RESULTS, VECTOR_BYTES, WIDE_RESULTS,
    WIDEST_WINDOW, WIDTHS_OF_RESULTS,
};
use super::super::{at_least, is_size};
use super::found::Place;
use super::rows::same_row_in_memory;
use crate::compiled::Guard;
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::{Expr, Path, Program};
use crate::ir::types::Type;
use crate::middle::rewrite::rules::{Neighbourhoods, STORE_BETWEEN};
use crate::middle::rewrite::strategies::{rolling_rows_of_any_number, window_tiles_of_any_size};
use crate::middle::rewrite::{Argument, Strategy};

/// What the function of a stencil takes of an array for each result.
struct Part {
    /// The numbers of rows and of columns of a window; of an element, both are 1.
    sides: [i128; 2],
    /// The size of an element in bytes.
    bytes: i128,
}

impl Part {
    /// `None` where a number is not known.
    fn read((sides, array): &(Option<[Nat; 2]>, &Rc<Expr>)) -> Option<Part> {
        let bytes = array.ty.innermost().constant_bytes()?;
        let sides = sides.as_ref().map(|sides| sides.each_ref().map(Nat::as_constant));
        match sides {
            None => Some(Part { sides: [1, 1], bytes }),
            Some([rows, columns]) => Some(Part { sides: [rows?, columns?], bytes }),
        }
    }
}

/// A stencil.
pub(super) struct Stencil {
    path: Path,
    place: Place,
    /// The numbers of rows and of columns of a window, of the largest where there are several.
    sides: [i128; 2],
    /// What the function takes for each result.
    parts: Vec<Part>,
    /// The results.
    results: Type,
    /// The length of the rows that windows are read from, as they lie in memory; `None` where they are not
    /// rows there, or begin elsewhere.
    row: Option<Nat>,
}

impl Stencil {
    pub(super) fn read(expr: &Rc<Expr>, path: &Path, place: Place, views: &[u32]) -> Option<Stencil> {
        let found = Neighbourhoods::read(expr)?.parts;
        let parts = found.iter().map(Part::read).collect::<Option<Vec<_>>>()?;
        let longest = |side: usize| parts.iter().map(|part| part.sides[side]).max();
        let sides = [longest(0)?, longest(1)?];
        if sides.iter().any(|side| *side > LONGEST_SIDE) {
            return None;
        }
        let row = same_row_in_memory(found.iter().map(|(_, array)| *array), false, views);
        let stencil = Stencil { path: path.clone(), place, sides, parts, results: expr.ty.clone(), row };
        (stencil.elements() > 1).then_some(stencil)
    }

    /// Whether a launcher knows the numbers of results and of elements in a row before the first kernel. It
    /// does not know them where they depend on the application of an `iterate`.
    pub(super) fn is_known_before_launch(&self, program: &Program) -> bool {
        let mut variables = self.results.element_count().variables();
        variables.extend(self.row.iter().flat_map(Nat::variables));
        variables.iter().all(|variable| is_size(variable, &program.sizes))
    }

    /// Whether there may be enough results.
    pub(super) fn may_be_large(&self) -> bool {
        self.results.element_count().as_constant().is_none_or(|count| count >= self.least_results())
    }

    /// The number of results from which on there are enough.
    fn least_results(&self) -> i128 {
        if self.elements() < FULL_WINDOW { MANY_ELEMENTS } else { MANY_WINDOWS }
    }

    /// The number of elements of a window.
    fn elements(&self) -> i128 {
        self.sides[0] * self.sides[1]
    }

    pub(super) fn is_small(&self) -> bool {
        self.width().is_some() && self.row.is_some()
    }

    /// Tiles are for windows of one array and nothing beside them.
    pub(super) fn is_large(&self) -> bool {
        let [part] = self.parts.as_slice() else { return false };
        let tile = self.tile();
        self.elements() >= LARGE_WINDOW
            && self.sides[1] <= WIDEST_WINDOW
            && tile[0] * tile[1] * part.bytes <= TILE_BYTES
    }

    /// The rows and columns that a group reads.
    fn tile(&self) -> [i128; 2] {
        [0, 1].map(|side| TILE_OF_RESULTS[side] + self.sides[side] - 1)
    }

    /// The step that lets rows roll through registers.
    pub(super) fn rolled(&self) -> Option<Strategy> {
        let results = if self.sides[0] > TALL_WINDOW { LONG_STRIP } else { SHORT_STRIP };
        let strip = results + self.sides[0] - 1;
        let strategy = rolling_rows_of_any_number(Argument::Width(self.width()?), results, strip);
        Some(self.stored(strategy))
    }

    /// The step that divides results into tiles.
    pub(super) fn tiled(&self) -> Strategy {
        let block = [0, 1].map(|side| BLOCK_OF_RESULTS[side] + self.sides[side] - 1);
        let strategy = window_tiles_of_any_size(TILE_OF_RESULTS, self.tile(), block);
        self.stored(strategy)
    }

    /// A strategy at the stencil. Work-items compute results strip by strip or tile by tile. Results that
    /// another stage reads are stored row by row, so that neighbouring work-items read neighbours there.
    fn stored(&self, strategy: Strategy) -> Strategy {
        let strategy = match self.place {
            Place::Result => strategy,
            Place::Between => Strategy::in_order([strategy, Strategy::rule(&STORE_BETWEEN)]),
        };
        Strategy::At(self.path.clone(), strategy.into())
    }

    /// The width of vectors; `None` where those of a window do not fit registers. Each row that a work-item
    /// reads has as many columns as each part needs, and as many rows stay in registers as the tallest window
    /// has.
    fn width(&self) -> Option<u8> {
        let columns = self.parts.iter().map(|part| part.sides[1] * ((part.bytes + 3) / 4));
        let registers = self.sides[0] * columns.sum::<i128>();
        let bytes = self.parts.iter().map(|part| part.bytes).max()?;
        WIDTHS_OF_RESULTS.into_iter().find(|width| {
            let width = i128::from(*width);
            width * bytes <= VECTOR_BYTES && registers * width <= MOST_REGISTERS
        })
    }

    /// That there are enough results for all work-items of a GPU, and for those of a group beside each other;
    /// and that vectors begin where memory has them.
    pub(super) fn worth_rolling(&self) -> Vec<Guard> {
        let are_many = at_least(&self.results.element_count(), self.least_results());
        let width = self.results.as_array().and_then(|rows| rows.element.as_array()).map(|row| &row.length);
        let are_wide = width.and_then(|width| at_least(width, WIDE_RESULTS));
        are_many.into_iter().chain(are_wide).chain(self.begins_with_vectors()).collect()
    }

    /// That vectors fill the rows in memory.
    fn begins_with_vectors(&self) -> Option<Guard> {
        let width = Nat::constant(i128::from(self.width()?));
        let condition = Condition::Equal(self.row.as_ref()?.modulo(&width), Nat::zero());
        match condition.as_constant() {
            Some(true) => None,
            _ => Some(Guard { text: condition.to_string(), condition }),
        }
    }

    /// That there are enough results for all groups of a GPU.
    pub(super) fn worth_tiling(&self) -> Vec<Guard> {
        at_least(&self.results.element_count(), self.least_results()).into_iter().collect()
    }
}
