//! Nests of maps over arrays that are zipped, in one or more dimensions: how rules read and build them.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapOf, is_component, is_variable, is_zip_of_components};
use super::parts::of_components;
use crate::ir::nat::Nat;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, ExprKind, MapKind};

type Right = Result<Arc<Expr>, Mismatch>;

/// A nest of maps.
pub(super) struct Nest<'e> {
    /// The maps, outermost first. The innermost function knows of the others their positions alone.
    pub(super) maps: Vec<MapOf<'e>>,
    /// The arrays that it takes an element of for each result.
    pub(super) arrays: &'e [Arc<Expr>],
    /// Whether the arrays stand in a `zip`, or the one array is what is mapped over.
    pub(super) is_zip: bool,
}

impl<'e> Nest<'e> {
    /// Reads a nest of as many maps as there are dimensions. Arrays may be zipped before it, as `zip2` does,
    /// or row by row inside of it.
    pub(super) fn read(
        expr: &'e Arc<Expr>,
        dimensions: usize,
        wanted: &'static str,
    ) -> Result<Nest<'e>, Mismatch> {
        let mut maps: Vec<MapOf<'_>> = Vec::new();
        let mut next = expr;
        let mut zipped_inside = 0;
        for depth in 0..dimensions {
            let map = MapOf::read(next, wanted, depth)?;
            if let Some(around) = maps.last() {
                let is_zip = is_zip_of_components(map.input, around.parameter);
                if !is_zip && !is_variable(map.input, around.parameter) {
                    return Err(Mismatch::form(wanted, map.input, depth));
                }
                zipped_inside += usize::from(is_zip);
            }
            next = map.body();
            maps.push(map);
        }
        let around = maps.iter().rev().skip(1);
        if around.into_iter().any(|map| mentions(next, map.parameter)) {
            return Err(Mismatch::condition("the function of an element does not need its row", next));
        }
        let Some(input) = maps.first().map(|map| map.input) else { return Err(Mismatch::Arguments) };
        let zipped = match &input.kind {
            ExprKind::Zip(parts) if zipped_inside > 0 && zipped_inside + 1 == dimensions => Some(parts),
            _ if zipped_inside > 0 => return Err(Mismatch::form(wanted, input, 1)),
            _ => zipped(input, dimensions),
        };
        let arrays = zipped.map_or_else(|| std::slice::from_ref(input), Vec::as_slice);
        Ok(Nest { maps, arrays, is_zip: zipped.is_some() })
    }

    /// The names of the elements of each map, outermost first.
    pub(super) fn names(&self) -> Vec<&'e str> {
        self.maps.iter().map(|map| map.parameter.name.as_ref()).collect()
    }

    /// One array in place of these: the only one itself, or their `zip` in this number of dimensions.
    pub(super) fn side_by_side(
        &self,
        dimensions: usize,
        parts: Vec<Arc<Expr>>,
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
        element: &Arc<Expr>,
        build: &mut Build<'_>,
    ) -> Result<Vec<Arc<Expr>>, Mismatch> {
        let part = |position| match self.is_zip {
            true => Ok(build.component(element, position)?),
            false => Ok(element.clone()),
        };
        (0..self.arrays.len()).map(part).collect()
    }

    /// The innermost function, applied to an element that has these positions.
    pub(super) fn apply(&self, positions: &[Nat], element: Arc<Expr>, build: &mut Build<'_>) -> Right {
        let (innermost, position) = self.innermost(positions)?;
        let applied = innermost.apply(build, position, element)?;
        Ok(self.at_positions(positions, applied))
    }

    /// The same, given what the element holds of each part: layouts, which may stand in several places.
    pub(super) fn apply_to_parts(
        &self,
        positions: &[Nat],
        parts: Vec<Arc<Expr>>,
        build: &mut Build<'_>,
    ) -> Right {
        let (innermost, _) = self.innermost(positions)?;
        let body = match self.is_zip {
            true => innermost.body().replace_components(innermost.parameter, &parts),
            false => innermost.body().clone(),
        };
        let whole = match parts.as_slice() {
            [only] if !self.is_zip => only.clone(),
            _ => build.tuple(parts)?,
        };
        let applied = self.at_positions(positions, body.replace(innermost.parameter, &whole));
        // A part may stand in several places, and binds what it binds in each.
        Ok(build.copy(&applied))
    }

    /// The innermost function, applied to values in place of the elements of the arrays.
    pub(super) fn apply_to_values(
        &self,
        positions: &[Nat],
        values: Vec<Arc<Expr>>,
        build: &mut Build<'_>,
    ) -> Right {
        let (innermost, position) = self.innermost(positions)?;
        let of_components = match self.is_zip {
            true => Some(of_components(innermost.function, build)?),
            false => None,
        };
        let function = of_components.as_ref().unwrap_or(innermost.function);
        let applied = build.apply(function, Some(position), values)?;
        Ok(self.at_positions(positions, applied))
    }

    fn innermost<'p>(&self, positions: &'p [Nat]) -> Result<(&MapOf<'e>, &'p Nat), Mismatch> {
        self.maps.last().zip(positions.last()).ok_or(Mismatch::Arguments)
    }

    /// An expression inside all maps, where the element has these positions.
    fn at_positions(&self, positions: &[Nat], expr: Arc<Expr>) -> Arc<Expr> {
        let at = self.maps.iter().zip(positions);
        at.fold(expr, |expr, (map, position)| map.at_position(position, &expr))
    }
}

/// The arrays that a nest of maps takes an element of for each result, where it has a map for each
/// dimension of its results; `None` for anything else.
pub(crate) fn arrays_of_nest(expr: &Arc<Expr>) -> Option<&[Arc<Expr>]> {
    let dimensions = expr.ty.rank();
    Nest::read(expr, dimensions, "").ok().map(|nest| nest.arrays)
}

/// The arrays of `zip`, of `zip2`, or of a `zip` of more dimensions.
fn zipped(expr: &Arc<Expr>, dimensions: usize) -> Option<&Vec<Arc<Expr>>> {
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

/// A `zip`, a `zip2`, or a `zip` of more dimensions.
pub(super) fn zip_nest(dimensions: usize, parts: Vec<Arc<Expr>>, build: &mut Build<'_>) -> Right {
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

/// What becomes of an element, given its positions in a nest of maps, the outermost first.
pub(super) type OfElement<'f> = dyn FnMut(&mut Build<'_>, &[Nat], Arc<Expr>) -> Right + 'f;

/// A map for each name, the outermost first. `positions` are those of the maps around.
pub(super) fn map_nest(
    names: &[&str],
    array: Arc<Expr>,
    positions: &mut Vec<Nat>,
    build: &mut Build<'_>,
    of_element: &mut OfElement<'_>,
) -> Right {
    let Some((name, inner)) = names.split_first() else { return of_element(build, positions, array) };
    build.map_at(MapKind::Unspecified, array, name, |build, position, row| {
        positions.push(position.clone());
        let mapped = map_nest(inner, row, positions, build, of_element);
        positions.pop();
        mapped
    })
}
