//! A stencil of a program: what it reads, which forms suit it, and from which sizes on they are worth it.

use std::sync::Arc;

use super::super::defaults::{
    BLOCK_OF_RESULTS, FEW_SIDES, FULL_WINDOW, LARGE_WINDOW, LEAST_TILED, LONG_STRIP, LONGEST_SIDE,
    MANY_ELEMENTS_OF_WINDOWS, MANY_SMALL_WINDOWS, MANY_WINDOWS, MOST_DIMENSIONS, MOST_REGISTERS, SHORT_STRIP,
    TALL_WINDOW, TILE_BYTES, TILE_OF_RESULTS, VECTOR_BYTES, WIDE_RESULTS, WIDE_RESULTS_OF_COLUMNS,
    WIDEST_WINDOW, WIDTHS_OF_RESULTS,
};
use super::super::{at_least, is_size};
use super::rows::Memory;
use super::taken::{Positions, taken};
use crate::compiled::Guard;
use crate::flat::FlatMap;
use crate::ir::nat::{Condition, Nat};
use crate::ir::typed::{Expr, Path, Program};
use crate::ir::types::Type;
use crate::middle::rewrite::rules::{MAP_GLB, Neighbourhoods, STORE_BETWEEN};
use crate::middle::rewrite::strategies::{
    rolling_planes_of_any_number, rolling_rows_of_any_number, vectors, window_tiles_of_any_size,
};
use crate::middle::rewrite::{Argument, Strategy};

/// The maps around a stencil: it computes a part of each of their results.
#[derive(Clone, Default)]
pub(super) struct Around {
    /// Where they are, outermost first.
    paths: Vec<Path>,
    /// The number of all results.
    results: Option<Nat>,
}

impl Around {
    /// These maps and one more, which is inside of them.
    pub(super) fn and(&self, map: &Expr, here: &Path) -> Around {
        let paths = [self.paths.as_slice(), std::slice::from_ref(here)].concat();
        let results = self.results.clone().or_else(|| Some(map.ty.element_count()));
        Around { paths, results }
    }
}

/// Where the results of a stencil go.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// They are results of the program, or of an application of an `iterate`: written where they belong.
    Result,
    /// Another stage reads them.
    Between,
}

/// What the function of a stencil takes of an array for each result.
struct Part {
    /// The lengths of a window, the outermost dimension first; of an element, all are 1.
    sides: Vec<i128>,
    /// The elements that it takes; `None` where it takes all of them.
    taken: Option<Positions>,
    /// The size of an element in bytes.
    bytes: i128,
}

impl Part {
    /// `None` where a number is not known, or where elements are arrays.
    fn read(stencil: &Neighbourhoods<'_>, number: usize, dimensions: usize) -> Option<Part> {
        let (sides, array) = stencil.parts.get(number)?;
        if array.ty.rank() != dimensions {
            return None;
        }
        let bytes = array.ty.innermost().constant_bytes()?;
        let Some(sides) = sides else { return Some(Part { sides: vec![1; dimensions], taken: None, bytes }) };
        let sides = sides.iter().map(Nat::as_constant).collect::<Option<_>>()?;
        Some(Part { sides, taken: taken(stencil, number, dimensions), bytes })
    }

    /// The number of elements that the function takes.
    fn taken(&self) -> i128 {
        self.taken.as_ref().map_or_else(|| self.sides.iter().product(), |taken| taken.len() as i128)
    }

    /// The elements that stay in registers where rows or planes roll through them: from where a window ends
    /// to the first row or plane that the function takes an element of.
    fn elements(&self) -> i128 {
        let Some(taken) = &self.taken else { return self.sides.iter().product() };
        let mut first: FlatMap<&[i128], i128> = FlatMap::new();
        for position in taken.iter() {
            if let [row, inside @ ..] = position.as_slice() {
                let first = first.get_or_insert_with(inside, || *row);
                *first = *row.min(first);
            }
        }
        match self.sides.as_slice() {
            [_] => self.taken(),
            [rows, ..] => first.values().map(|first| rows - first).sum(),
            [] => 1,
        }
    }
}

/// A stencil.
pub(super) struct Stencil {
    path: Path,
    around: Around,
    place: Place,
    /// The lengths of a window, the outermost dimension first; where there are several windows, of the
    /// longest in each dimension.
    sides: Vec<i128>,
    /// What the function takes for each result.
    parts: Vec<Part>,
    /// The number of all results.
    results: Nat,
    /// The numbers of results in each dimension of the stencil, the outermost first.
    lengths: Vec<Nat>,
    /// The length of the rows that windows are read from, as they lie in memory; `None` where they are not
    /// rows there, or begin elsewhere.
    row: Option<Nat>,
}

impl Stencil {
    /// Reads a stencil of as many dimensions as it may have.
    pub(super) fn read(
        expr: &Arc<Expr>,
        path: &Path,
        place: Place,
        around: &Around,
        views: &[u32],
    ) -> Option<Stencil> {
        let most = MOST_DIMENSIONS.checked_sub(around.paths.len())?;
        let dimensions = expr.ty.rank();
        // The components of tuples are stored apart, and put together by another kernel.
        if dimensions > most || !matches!(expr.ty.innermost(), Type::Scalar(_)) {
            return None;
        }
        let found = Neighbourhoods::read(expr, dimensions)?;
        let parts = (0..found.parts.len()).map(|number| Part::read(&found, number, dimensions));
        let parts = parts.collect::<Option<Vec<_>>>()?;
        let longest = |side: usize| parts.iter().map(|part| part.sides[side]).max();
        let sides = (0..dimensions).map(longest).collect::<Option<Vec<_>>>()?;
        if sides.iter().any(|side| *side > LONGEST_SIDE) {
            return None;
        }
        let memory = Memory { views, is_stored: around.paths.is_empty() };
        let row = memory.same_row(found.parts.iter().map(|(_, array)| *array), dimensions);
        let results = around.results.clone().unwrap_or_else(|| expr.ty.element_count());
        let (path, around, lengths) = (path.clone(), around.clone(), expr.ty.lengths());
        let stencil = Stencil { path, around, place, sides, parts, results, lengths, row };
        (stencil.elements() > 1).then_some(stencil)
    }

    /// Whether a launcher knows the numbers of results and of elements in a row before the first kernel. It
    /// does not know them where they depend on the application of an `iterate`.
    pub(super) fn is_known_before_launch(&self, program: &Program) -> bool {
        let mut variables = self.results.variables();
        variables.extend(self.lengths.iter().flat_map(Nat::variables));
        variables.extend(self.row.iter().flat_map(Nat::variables));
        variables.iter().all(|variable| is_size(variable, &program.sizes))
    }

    /// Whether there may be enough results for one of the forms.
    pub(super) fn may_be_large(&self) -> bool {
        let least =
            if self.is_large() { self.least_tiled().min(MANY_WINDOWS) } else { self.least_in_vectors() };
        self.results.as_constant().is_none_or(|count| count >= least)
    }

    /// The number of results from which on there are enough for vectors.
    fn least_in_vectors(&self) -> i128 {
        let taken: i128 = self.parts.iter().map(Part::taken).sum();
        if taken < FULL_WINDOW { MANY_SMALL_WINDOWS } else { MANY_WINDOWS }
    }

    /// The same for tiles.
    fn least_tiled(&self) -> i128 {
        (MANY_ELEMENTS_OF_WINDOWS / self.elements()).max(1)
    }

    /// The number of elements of a window.
    fn elements(&self) -> i128 {
        self.sides.iter().product()
    }

    pub(super) fn is_line(&self) -> bool {
        self.sides.len() == 1
    }

    pub(super) fn is_small(&self) -> bool {
        self.width().is_some() && self.row.is_some()
    }

    /// Whether a work-item at the border of the array takes about as long as one in the interior, so that
    /// both may have the same code. In a row, it loads the vector in the middle of a window as one, and of
    /// those beside it what lies beyond, if they all share elements with that. Each row costs a comparison.
    pub(super) fn has_cheap_borders(&self) -> bool {
        let (Some([rows, ..]), Some(columns), Some(width)) =
            (self.strip(), self.sides.last(), self.width().filter(|_| self.is_small()))
        else {
            return false;
        };
        rows == SHORT_STRIP && *columns <= i128::from(width) + 1
    }

    /// Tiles are for windows of one matrix and nothing beside them.
    pub(super) fn is_large(&self) -> bool {
        let ([part], [_, columns], []) =
            (self.parts.as_slice(), self.sides.as_slice(), self.around.paths.as_slice())
        else {
            return false;
        };
        let bytes = TILE_OF_RESULTS.iter().zip(&self.sides).map(|(results, side)| results + side - 1);
        self.elements() >= LARGE_WINDOW
            && *columns <= WIDEST_WINDOW
            && bytes.product::<i128>() * part.bytes <= TILE_BYTES
    }

    /// The rows or planes of results of a strip, and those that it reads; a line has none.
    fn strip(&self) -> Option<[i128; 2]> {
        let side = if self.is_line() { None } else { self.sides.first() }?;
        let results = if *side > TALL_WINDOW { LONG_STRIP } else { SHORT_STRIP };
        Some([results, results + side - 1])
    }

    /// The step that computes vectors; rows or planes, where there are such, roll through registers.
    pub(super) fn in_vectors(&self) -> Option<Strategy> {
        let width = Argument::Width(self.width()?);
        let strategy = match self.strip() {
            None => vectors(&[width]),
            Some([results, strip]) if self.sides.len() == 2 => {
                rolling_rows_of_any_number(width, results, strip)
            }
            Some([results, strip]) => rolling_planes_of_any_number(width, results, strip),
        };
        Some(self.stored(strategy))
    }

    /// The step that divides results into tiles.
    pub(super) fn tiled(&self) -> Option<Strategy> {
        let [rows, columns] = *self.sides.as_slice() else { return None };
        let around = |results: [i128; 2]| [results[0] + rows - 1, results[1] + columns - 1];
        let (tile, block) = (around(TILE_OF_RESULTS), around(BLOCK_OF_RESULTS));
        Some(self.stored(window_tiles_of_any_size(TILE_OF_RESULTS, tile, block)))
    }

    /// A strategy at the stencil, where work-items divide the maps around among them. Work-items compute
    /// results strip by strip or tile by tile. Results that another stage reads are stored row by row, so
    /// that neighbouring work-items read neighbours there.
    fn stored(&self, strategy: Strategy) -> Strategy {
        let at = |path: &Path, strategy: Strategy| Strategy::At(path.clone(), strategy.into());
        let mut steps = vec![at(&self.path, strategy)];
        for (path, dimension) in self.around.paths.iter().rev().zip(self.sides.len() as u8..) {
            steps.push(at(path, Strategy::with(&MAP_GLB, Argument::Dimension(dimension))));
        }
        if self.place == Place::Between {
            let stage = self.around.paths.first().unwrap_or(&self.path);
            steps.push(at(stage, Strategy::rule(&STORE_BETWEEN)));
        }
        Strategy::Sequence(steps)
    }

    /// The width of vectors; `None` where those of a window do not fit registers.
    fn width(&self) -> Option<u8> {
        let registers: i128 = self.parts.iter().map(|part| part.elements() * ((part.bytes + 3) / 4)).sum();
        let bytes = self.parts.iter().map(|part| part.bytes).max()?;
        WIDTHS_OF_RESULTS.into_iter().find(|width| {
            let width = i128::from(*width);
            width * bytes <= VECTOR_BYTES && registers * width <= MOST_REGISTERS
        })
    }

    /// That there are enough results for all work-items of a GPU, for those of a group beside each other, and
    /// for a strip; and that vectors begin where memory has them.
    pub(super) fn worth_vectors(&self) -> Vec<Guard> {
        let are_many = at_least(&self.results, self.least_in_vectors());
        let is_whole = self.is_line() && self.around.paths.is_empty();
        let are_wide = self.lengths.last().filter(|_| !is_whole).and_then(|row| at_least(row, self.wide()));
        let strip = self.lengths.first().zip(self.strip());
        let are_high = strip.and_then(|(rows, [results, _])| at_least(rows, results));
        are_many.into_iter().chain(are_high).chain(are_wide).chain(self.begins_with_vectors()).collect()
    }

    /// The columns from which on the work-items of a group have results beside each other.
    fn wide(&self) -> i128 {
        match (self.parts.as_slice(), self.sides.as_slice()) {
            ([_], [_, columns]) if *columns <= FEW_SIDES => WIDE_RESULTS_OF_COLUMNS,
            _ => WIDE_RESULTS,
        }
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

    /// That there are enough results for all groups of a GPU, and for a tile.
    pub(super) fn worth_tiling(&self) -> Vec<Guard> {
        let are_many = at_least(&self.results, self.least_tiled());
        let sides = self.lengths.iter().zip(LEAST_TILED);
        are_many.into_iter().chain(sides.filter_map(|(length, least)| at_least(length, least))).collect()
    }
}
