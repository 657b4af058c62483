//! Windows that overlap, in one or more dimensions, and nests of maps over them: how rules read and build
//! them.
//!
//! Windows of several dimensions are nested as the prelude nests them: `slide2d` is `map(slide) >> slide >>
//! map(transpose)`, so that a row of windows is an array of windows, each of which is an array of rows.

use std::rc::Rc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapOf, is_component, is_variable, layout_of};
use crate::ir::nat::Nat;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::Build;
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{Expr, ExprKind, Layout, Requirement};

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

fn of_dimensions(windows: &[Windows], array: Rc<Expr>, build: &mut Build<'_>) -> Right {
    let Some((outer, inner)) = windows.split_first() else { return Ok(array) };
    if inner.is_empty() {
        return outer.of(array, build);
    }
    let of_rows = build.map_over(array, "x", |build, row| of_dimensions(inner, row, build))?;
    let slid = outer.of(of_rows, build)?;
    build.map_over(slid, "x", |build, row| inwards(row, inner.len(), build))
}

/// An array with its outermost dimension behind this many others, at least one.
pub(super) fn inwards(array: Rc<Expr>, others: usize, build: &mut Build<'_>) -> Right {
    let transposed = build.transpose(array)?;
    match others {
        0 | 1 => Ok(transposed),
        _ => build.map_over(transposed, "x", |build, row| inwards(row, others - 1, build)),
    }
}

/// The array that [`inwards`] was applied to; `None` for anything else.
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
    /// The maps, outermost first. The innermost function knows of the others their positions alone.
    pub(super) maps: Vec<MapOf<'e>>,
    /// What it takes for each result, side by side.
    pub(super) parts: Vec<Part<'e>>,
    /// Whether the parts stand in a `zip`, or the one part is what is mapped over.
    is_zip: bool,
}

/// What a stencil takes of an array for each result.
pub(super) enum Part<'e> {
    /// A window of the array.
    Windows(Grid, &'e Rc<Expr>),
    /// An element of the array.
    Elements(&'e Rc<Expr>),
}

impl<'e> Stencil<'e> {
    /// Reads a nest of as many maps as there are dimensions. Of a `zip`, what is no window is an element.
    pub(super) fn read(expr: &'e Rc<Expr>, dimensions: usize) -> Result<Stencil<'e>, Mismatch> {
        const WANTED: &str = "a nest of `map`s over windows";
        let mut maps: Vec<MapOf<'_>> = Vec::new();
        let mut next = expr;
        for depth in 0..dimensions {
            let map = MapOf::read(next, WANTED, depth)?;
            if maps.last().is_some_and(|around| !is_variable(map.input, around.parameter)) {
                return Err(Mismatch::form(WANTED, map.input, depth));
            }
            next = map.body();
            maps.push(map);
        }
        let around = maps.iter().rev().skip(1);
        if around.into_iter().any(|map| mentions(next, map.parameter)) {
            return Err(Mismatch::condition("the function of a window does not need its row", next));
        }
        let Some(input) = maps.first().map(|map| map.input) else { return Err(Mismatch::Arguments) };
        let zipped = zipped(input, dimensions);
        let arrays = zipped.map_or_else(|| std::slice::from_ref(input), Vec::as_slice);
        let part = |array| match Grid::read(array, dimensions, wanted(dimensions), dimensions) {
            Ok((grid, of)) => Ok(Part::Windows(grid, of)),
            Err(_) if zipped.is_some() => Ok(Part::Elements(array)),
            Err(mismatch) => Err(mismatch),
        };
        let parts = arrays.iter().map(part).collect::<Result<_, _>>()?;
        Ok(Stencil { maps, parts, is_zip: zipped.is_some() })
    }

    /// The first windows, which tiles are measured by.
    pub(super) fn windows(&self) -> Result<&Grid, Mismatch> {
        let windows = self.parts.iter().find_map(|part| match part {
            Part::Windows(grid, _) => Some(grid),
            Part::Elements(_) => None,
        });
        let of = self.maps.first().ok_or(Mismatch::Arguments)?.input;
        windows.ok_or_else(|| Mismatch::form(wanted(self.maps.len()), of, self.maps.len() + 1))
    }

    /// The names of the elements of each map, outermost first.
    pub(super) fn names(&self) -> Vec<&'e str> {
        self.maps.iter().map(|map| map.parameter.name.as_ref()).collect()
    }

    /// One array in place of the parts: the only part itself, or their `zip` in this number of dimensions.
    pub(super) fn side_by_side(
        &self,
        dimensions: usize,
        parts: Vec<Rc<Expr>>,
        build: &mut Build<'_>,
    ) -> Right {
        match parts.as_slice() {
            [only] if !self.is_zip => Ok(only.clone()),
            _ => zip_nest(dimensions, parts, build),
        }
    }

    /// What an element of that holds of each part.
    pub(super) fn taken_apart(
        &self,
        element: &Rc<Expr>,
        build: &mut Build<'_>,
    ) -> Result<Vec<Rc<Expr>>, Mismatch> {
        let part = |position| match self.is_zip {
            true => Ok(build.component(element, position)?),
            false => Ok(element.clone()),
        };
        (0..self.parts.len()).map(part).collect()
    }

    /// The innermost function, applied to an element that has these positions.
    pub(super) fn apply(&self, positions: &[Nat], element: Rc<Expr>, build: &mut Build<'_>) -> Right {
        let (Some((innermost, around)), Some((position, outer))) =
            (self.maps.split_last(), positions.split_last())
        else {
            return Err(Mismatch::Arguments);
        };
        let applied = innermost.apply(build, position, element)?;
        let outer = around.iter().zip(outer);
        Ok(outer.fold(applied, |applied, (map, position)| map.at_position(position, &applied)))
    }

    /// The same, given what the element holds of each part: layouts, which may stand in several places.
    pub(super) fn apply_to_parts(
        &self,
        positions: &[Nat],
        parts: Vec<Rc<Expr>>,
        build: &mut Build<'_>,
    ) -> Right {
        let innermost = self.maps.last().ok_or(Mismatch::Arguments)?;
        let body = match self.is_zip {
            true => innermost.body().replace_components(innermost.parameter, &parts),
            false => innermost.body().clone(),
        };
        let whole = match parts.as_slice() {
            [only] if !self.is_zip => only.clone(),
            _ => build.tuple(parts)?,
        };
        let body = body.replace(innermost.parameter, &whole);
        let at = self.maps.iter().zip(positions);
        Ok(at.fold(body, |body, (map, position)| map.at_position(position, &body)))
    }
}

/// The arrays of `zip`, of `zip2`, or of a `zip` of more dimensions.
fn zipped(expr: &Rc<Expr>, dimensions: usize) -> Option<&Vec<Rc<Expr>>> {
    match &expr.kind {
        ExprKind::Zip(parts) if dimensions == 1 => Some(parts),
        _ if dimensions == 1 => None,
        _ => {
            let map = MapOf::read(expr, "", 0).ok()?;
            let ExprKind::Zip(parts) = &map.input.kind else { return None };
            let rows = zipped(map.body(), dimensions - 1)?;
            let mut components = rows.iter().enumerate();
            let are_components = components.all(|(position, row)| is_component(row, map.parameter, position));
            (are_components && rows.len() == parts.len()).then_some(parts)
        }
    }
}

fn zip_nest(dimensions: usize, parts: Vec<Rc<Expr>>, build: &mut Build<'_>) -> Right {
    let count = parts.len();
    let zipped = build.zip(parts)?;
    if dimensions <= 1 {
        return Ok(zipped);
    }
    build.map_over(zipped, "x", |build, rows| {
        let parts: Result<Vec<_>, _> = (0..count).map(|part| build.component(&rows, part)).collect();
        zip_nest(dimensions - 1, parts?, build)
    })
}

/// A stencil of one array in two dimensions that has a window at every element.
pub(crate) struct Neighbourhoods<'e> {
    /// The numbers of rows and of columns of a window.
    pub(crate) sides: [Nat; 2],
    /// The array, with its borders.
    pub(crate) array: &'e Rc<Expr>,
}

impl<'e> Neighbourhoods<'e> {
    /// Reads a nest of two maps over such windows; `None` for anything else.
    pub(crate) fn read(expr: &'e Rc<Expr>) -> Option<Neighbourhoods<'e>> {
        let stencil = Stencil::read(expr, 2).ok()?;
        let [Part::Windows(Grid(windows), array)] = stencil.parts.as_slice() else { return None };
        let [rows, columns] = windows.as_slice() else { return None };
        let is_everywhere = rows.step == Nat::one() && columns.step == Nat::one();
        is_everywhere.then(|| Neighbourhoods { sides: [rows.size.clone(), columns.size.clone()], array })
    }
}
