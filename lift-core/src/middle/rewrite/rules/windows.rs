//! Windows that overlap, in one or more dimensions, and nests of maps over them: how rules read and build
//! them.
//!
//! Windows of several dimensions are nested as the prelude nests them: `slide2d` is `map(slide) >> slide >>
//! map(transpose)`, so that a row of windows is an array of windows, each of which is an array of rows.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapOf, is_variable, layout_of};
use super::nests::Nest;
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{Expr, Lambda, Layout, Requirement};

type Right = Result<Arc<Expr>, Mismatch>;

/// Windows of a length, and the distance from the start of one to the start of the next.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Windows {
    pub(super) size: Nat,
    pub(super) step: Nat,
}

impl Windows {
    /// Reads `slide`, so deep inside the expression that a rule is applied to, and gives the array.
    pub(super) fn read<'e>(
        expr: &'e Arc<Expr>,
        wanted: &'static str,
        depth: usize,
    ) -> Result<(Windows, &'e Arc<Expr>), Mismatch> {
        match layout_of(expr, wanted, depth)? {
            (Layout::Slide { size, step }, array) => {
                Ok((Windows { size: size.clone(), step: step.clone() }, array))
            }
            _ => Err(Mismatch::form(wanted, expr, depth)),
        }
    }

    /// The windows of an array.
    pub(super) fn of(&self, array: Arc<Expr>, build: &mut Build<'_>) -> Right {
        Ok(build.slide(&self.size, &self.step, array)?)
    }
}

/// Windows of several dimensions, the outermost dimension first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid(pub(super) Vec<Windows>);

impl Grid {
    /// Reads `slide`, `slide2d`, or windows of more dimensions, and gives the array.
    pub(super) fn read<'e>(
        expr: &'e Arc<Expr>,
        dimensions: usize,
        wanted: &'static str,
        depth: usize,
    ) -> Result<(Grid, &'e Arc<Expr>), Mismatch> {
        if dimensions == 1 {
            let (windows, array) = Windows::read(expr, wanted, depth)?;
            return Ok((Grid(vec![windows]), array));
        }
        let moved = MapOf::read(expr, wanted, depth)?;
        if !before_inwards(moved.body(), dimensions - 1).is_some_and(|row| is_variable(row, moved.parameter))
        {
            return Err(Mismatch::form(wanted, expr, depth));
        }
        let (outer, of_rows) = Windows::read(moved.input, wanted, depth + 1)?;
        let rows = MapOf::read(of_rows, wanted, depth + 2)?;
        let (Grid(inner), row) = Grid::read(rows.body(), dimensions - 1, wanted, depth + 3)?;
        if !is_variable(row, rows.parameter) || rows.is_position_mentioned_in(rows.body()) {
            return Err(Mismatch::form(wanted, of_rows, depth + 2));
        }
        Ok((Grid([vec![outer], inner].concat()), rows.input))
    }

    /// The windows of an array.
    pub(super) fn of(&self, array: Arc<Expr>, build: &mut Build<'_>) -> Right {
        of_dimensions(&self.0, array, build)
    }

    /// Tiles of these lengths. The last window of a tile is followed by the first of the next.
    pub(super) fn tiles(&self, lengths: &[&Nat]) -> Grid {
        let tiles = self.0.iter().zip(lengths).map(|(windows, length)| Windows {
            size: (*length).clone(),
            step: *length - &windows.size + &windows.step,
        });
        Grid(tiles.collect())
    }

    /// Demands that a window fits into a tile of these lengths.
    pub(super) fn demand_room(&self, lengths: &[&Nat], build: &mut Build<'_>) -> Result<(), Mismatch> {
        let room = self.0.iter().zip(lengths);
        let mut fit =
            room.map(|(windows, length)| Requirement::AtMost(windows.size.clone(), (*length).clone()));
        Ok(fit.try_for_each(|fit| build.need(fit, Purpose::WindowFits))?)
    }

    /// The number of windows in tiles of these lengths.
    pub(super) fn counts(&self, lengths: &[&Nat]) -> Vec<Nat> {
        let tiles = self.tiles(lengths).0;
        self.0.iter().zip(tiles).map(|(windows, tile)| tile.step.divide(&windows.step)).collect()
    }

    /// The lengths of tiles that hold these numbers of windows.
    pub(super) fn lengths_of(&self, counts: &[Nat]) -> Vec<Nat> {
        let windows = self.0.iter().zip(counts);
        windows.map(|(windows, count)| (count - Nat::one()) * &windows.step + &windows.size).collect()
    }
}

fn of_dimensions(windows: &[Windows], array: Arc<Expr>, build: &mut Build<'_>) -> Right {
    let Some((outer, inner)) = windows.split_first() else { return Ok(array) };
    if inner.is_empty() {
        return outer.of(array, build);
    }
    let of_rows = build.map_over(array, "x", |build, row| of_dimensions(inner, row, build))?;
    let slid = outer.of(of_rows, build)?;
    build.map_over(slid, "x", |build, row| inwards(row, inner.len(), build))
}

/// An array with its outermost dimension behind this many others, at least one.
pub(super) fn inwards(array: Arc<Expr>, others: usize, build: &mut Build<'_>) -> Right {
    let transposed = build.transpose(array)?;
    match others {
        0 | 1 => Ok(transposed),
        _ => build.map_over(transposed, "x", |build, row| inwards(row, others - 1, build)),
    }
}

/// An array with the dimension behind this many others as its outermost one.
pub(super) fn outwards(array: Arc<Expr>, others: usize, build: &mut Build<'_>) -> Right {
    let moved = match others {
        0 | 1 => array,
        _ => build.map_over(array, "x", |build, row| outwards(row, others - 1, build))?,
    };
    Ok(build.transpose(moved)?)
}

/// The array that [`inwards`] was applied to; `None` for anything else.
fn before_inwards(expr: &Arc<Expr>, others: usize) -> Option<&Arc<Expr>> {
    let transposed = match others {
        0 | 1 => expr,
        _ => {
            let map = MapOf::read(expr, "", 0).ok()?;
            is_variable(before_inwards(map.body(), others - 1)?, map.parameter).then_some(map.input)?
        }
    };
    match layout_of(transposed, "", 0).ok()? {
        (Layout::Transpose, array) => Some(array),
        _ => None,
    }
}

/// What a rule about this many dimensions wants.
pub(super) fn wanted(dimensions: usize) -> &'static str {
    match dimensions {
        1 => "a `slide`",
        2 => "a `slide2` or a `slide2d`",
        _ => "a `slide3`",
    }
}

/// A nest of maps over windows of arrays and elements of arrays.
pub(super) struct Stencil<'e> {
    pub(super) nest: Nest<'e>,
    /// What it takes for each result, side by side: of each array of the nest one part.
    pub(super) parts: Vec<Part<'e>>,
}

/// What a stencil takes of an array for each result.
pub(super) enum Part<'e> {
    /// A window of the array.
    Windows(Grid, &'e Arc<Expr>),
    /// An element of the array.
    Elements(&'e Arc<Expr>),
}

impl<'e> Part<'e> {
    /// The length of what a result takes in the outermost dimension, and the array.
    pub(super) fn length_and_array(&self) -> (Nat, &'e Arc<Expr>) {
        match self {
            Part::Windows(Grid(windows), array) => {
                (windows.first().map_or(Nat::one(), |windows| windows.size.clone()), array)
            }
            Part::Elements(array) => (Nat::one(), array),
        }
    }
}

impl<'e> Stencil<'e> {
    /// Reads a nest of as many maps as there are dimensions. Of a `zip`, what is no window is an element.
    pub(super) fn read(expr: &'e Arc<Expr>, dimensions: usize) -> Result<Stencil<'e>, Mismatch> {
        let nest = Nest::read(expr, dimensions, "a nest of `map`s over windows")?;
        let part = |array| match Grid::read(array, dimensions, wanted(dimensions), dimensions) {
            Ok((grid, of)) => Ok(Part::Windows(grid, of)),
            Err(_) if nest.is_zip => Ok(Part::Elements(array)),
            Err(mismatch) => Err(mismatch),
        };
        let parts = nest.arrays.iter().map(part).collect::<Result<_, _>>()?;
        Ok(Stencil { nest, parts })
    }

    /// The first windows, which tiles are measured by.
    pub(super) fn windows(&self) -> Result<&Grid, Mismatch> {
        let windows = self.parts.iter().find_map(|part| match part {
            Part::Windows(grid, _) => Some(grid),
            Part::Elements(_) => None,
        });
        let maps = &self.nest.maps;
        let of = maps.first().ok_or(Mismatch::Arguments)?.input;
        windows.ok_or_else(|| Mismatch::form(wanted(maps.len()), of, maps.len() + 1))
    }
}

/// A stencil that has a window at every element.
pub(crate) struct Neighbourhoods<'e> {
    /// What it takes for each result: windows with these lengths, the outermost dimension first, or elements;
    /// and the array, with its borders.
    pub(crate) parts: Vec<(Option<Vec<Nat>>, &'e Arc<Expr>)>,
    /// The function, which takes that as components of its parameter if it takes more than one thing.
    pub(crate) function: &'e Lambda,
    /// Whether it takes several things, which are zipped.
    pub(crate) is_zip: bool,
}

impl<'e> Neighbourhoods<'e> {
    /// Reads a nest of maps over such windows, and elements beside them; `None` for anything else.
    pub(crate) fn read(expr: &'e Arc<Expr>, dimensions: usize) -> Option<Neighbourhoods<'e>> {
        let Stencil { nest, parts } = Stencil::read(expr, dimensions).ok()?;
        let lengths = |windows: &Windows| (windows.step == Nat::one()).then(|| windows.size.clone());
        let is_window = |part: &Part<'_>| matches!(part, Part::Windows(..));
        let has_windows = parts.iter().any(is_window);
        let parts = parts.into_iter().map(|part| match part {
            Part::Elements(array) => Some((None, array)),
            Part::Windows(Grid(windows), array) => {
                let lengths = windows.iter().map(lengths).collect::<Option<_>>()?;
                Some((Some(lengths), array))
            }
        });
        let (parts, innermost) = (parts.collect::<Option<_>>()?, nest.maps.last()?);
        has_windows.then_some(Neighbourhoods { parts, function: innermost.function, is_zip: nest.is_zip })
    }
}
