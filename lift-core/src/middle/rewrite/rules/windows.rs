//! Windows that overlap, in one or more dimensions: how rules read and build them.
//!
//! Windows of several dimensions are nested as the prelude nests them: `slide2d` is `map(slide) >> slide >>
//! map(transpose)`, so that a row of windows is an array of windows, each of which is an array of rows.

use std::rc::Rc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapOf, is_variable, layout_of};
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, Layout};

type Right = Result<Rc<Expr>, Mismatch>;

/// Windows of a length, and the distance from the start of one to the start of the next.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Windows {
    pub(super) size: Nat,
    pub(super) step: Nat,
}

impl Windows {
    /// Reads `slide`, so deep inside the expression that a rule is applied to, and gives the array.
    pub(super) fn read<'e>(
        expr: &'e Rc<Expr>,
        wanted: &'static str,
        depth: usize,
    ) -> Result<(Windows, &'e Rc<Expr>), Mismatch> {
        match layout_of(expr, wanted, depth)? {
            (Layout::Slide { size, step }, array) => {
                Ok((Windows { size: size.clone(), step: step.clone() }, array))
            }
            _ => Err(Mismatch::form(wanted, expr, depth)),
        }
    }

    /// The windows of an array.
    pub(super) fn of(&self, array: Rc<Expr>, build: &mut Build<'_>) -> Right {
        Ok(build.slide(&self.size, &self.step, array)?)
    }
}

/// Windows of several dimensions, the outermost dimension first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid(pub(super) Vec<Windows>);

impl Grid {
    /// Reads `slide`, `slide2d`, or windows of more dimensions, and gives the array.
    pub(super) fn read<'e>(
        expr: &'e Rc<Expr>,
        dimensions: usize,
        wanted: &'static str,
        depth: usize,
    ) -> Result<(Grid, &'e Rc<Expr>), Mismatch> {
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
    pub(super) fn of(&self, array: Rc<Expr>, build: &mut Build<'_>) -> Right {
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

    /// The number of windows in tiles of these lengths.
    pub(super) fn counts(&self, lengths: &[&Nat]) -> Vec<Nat> {
        let tiles = self.tiles(lengths).0;
        self.0.iter().zip(tiles).map(|(windows, tile)| tile.step.divide(&windows.step)).collect()
    }

    /// The lengths of tiles that hold so many windows.
    pub(super) fn lengths_of(&self, counts: &[Nat]) -> Vec<Nat> {
        let windows = self.0.iter().zip(counts);
        windows.map(|(windows, count)| (count - Nat::one()) * &windows.step + &windows.size).collect()
    }
}

fn of_dimensions(windows: &[Windows], array: Rc<Expr>, build: &mut Build<'_>) -> Right {
    let Some((outer, inner)) = windows.split_first() else { return Ok(array) };
    if inner.is_empty() {
        return outer.of(array, build);
    }
    let of_rows = build.map_over(array, "x", |build, row| of_dimensions(inner, row, build))?;
    let slid = outer.of(of_rows, build)?;
    build.map_over(slid, "x", |build, row| inwards(row, inner.len(), build))
}

/// An array whose outermost dimension is moved behind so many others, at least one.
pub(super) fn inwards(array: Rc<Expr>, others: usize, build: &mut Build<'_>) -> Right {
    let transposed = build.transpose(array)?;
    match others {
        0 | 1 => Ok(transposed),
        _ => build.map_over(transposed, "x", |build, row| inwards(row, others - 1, build)),
    }
}

/// The array whose outermost dimension was moved behind so many others.
fn before_inwards(expr: &Rc<Expr>, others: usize) -> Option<&Rc<Expr>> {
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
