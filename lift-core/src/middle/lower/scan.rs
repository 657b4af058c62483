//! Decides which scans of whole arrays, and which of rows, are divided among the work-items of the device, by
//! the rules `scanByTiles`, `scanRowsByTiles` and `scanRowsInGroups`, and chooses their tiles.

use std::sync::Arc;

use super::cooperation::SharingRowScans;
use super::fission::{is_split, is_stored};
use super::producers::takes_a_loop;
use super::reduction::WORTH_DIVIDING;
use crate::ir::nat::Nat;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::{Expr, ExprKind, Lambda, Layout, MapKind, Program, Variable};
use crate::ir::types::Type;
use crate::middle::laws::Axioms;
use crate::middle::rewrite::rules::{
    RowScans, SCAN_BY_TILES, SCAN_ROWS_BY_TILES, SCAN_ROWS_IN_GROUPS, maps_of_values, may_scan_by_tiles,
};
use crate::middle::rewrite::{Argument, Strategy};

/// Work-items of a group, the preferred number first.
const ITEMS: [i128; 5] = [256, 128, 64, 32, 16];

/// The work-items of a small group, for short rows.
const SMALL_GROUP: i128 = 32;

/// The number of work-items whose totals one work-item combines.
const PART: i128 = 16;

/// Elements of a work-item, the preferred number first. With several elements, scanning the totals of
/// work-items takes little time in comparison. A smaller group is better than fewer elements.
const ELEMENTS: [i128; 3] = [7, 3, 1];

/// Bytes of local memory for a group: several groups should fit a multiprocessor, and every device has 32
/// KiB.
const LOCAL_MEMORY: i128 = 20 * 1024;

/// The elements that a work-group scans.
#[derive(Clone, Copy)]
struct Tile {
    items: i128,
    /// Elements of each work-item.
    each: i128,
}

impl Tile {
    /// The tile for elements of a type. `None` if even the smallest tile is too large.
    fn of(element: &Type) -> Option<Tile> {
        Tile::within(element, ITEMS[0])
    }

    /// The same for a group of at most this number of work-items.
    fn within(element: &Type, most_items: i128) -> Option<Tile> {
        let bytes = element.constant_bytes()?;
        let tiles = ELEMENTS.into_iter().flat_map(|each| ITEMS.map(|items| Tile { items, each }));
        let mut tiles = tiles.filter(|tile| tile.items <= most_items);
        // The tile before and after the scan, the totals and starts of the work-items, and those of the
        // parts.
        let room = |tile: &Tile| (2 * tile.length() + 2 * tile.items + 2 * (tile.items / PART)) * bytes;
        tiles.find(|tile| room(tile) <= LOCAL_MEMORY)
    }

    fn length(self) -> i128 {
        self.items * self.each
    }
}

/// The division of a scan, where it stands or where maps over it stand. `None` if the scan must be done in
/// order, or is not worth dividing.
pub(super) fn divided_scan(scan: &Expr, program: &Program) -> Option<Strategy> {
    let ExprKind::Scan(_, _, initial, input) = &scan.kind else { return None };
    let array = input.ty.as_array()?;
    let is_short = array.length.as_constant().is_some_and(|length| length < WORTH_DIVIDING);
    if is_short || !may_scan_by_tiles(scan, Axioms::of(program)) {
        return None;
    }
    let Tile { items, each } = Tile::of(&initial.ty)?;
    let sizes = [items, each, PART].map(|size| Argument::Size(Nat::constant(size)));
    Some(Strategy::Apply(&SCAN_BY_TILES, sizes.to_vec()))
}

/// The division of the scans of the rows of a matrix. `None` if the expression is no map of such scans, if
/// neighbours in a row may lie far apart, or if what is done for a row beside its scan takes a loop. What
/// variables stand for is bound in the `body` of the program.
pub(super) fn divided_rows(
    expr: &Expr,
    body: &Expr,
    program: &Program,
    who: SharingRowScans,
) -> Option<Strategy> {
    let (rule, most_items) = match who {
        SharingRowScans::Alone => return None,
        SharingRowScans::InTiles => (&SCAN_ROWS_BY_TILES, ITEMS[0]),
        SharingRowScans::InGroups => (&SCAN_ROWS_IN_GROUPS, ITEMS[0]),
        SharingRowScans::InSmallGroups => (&SCAN_ROWS_IN_GROUPS, SMALL_GROUP),
    };
    let RowScans { matrix, values, then, scan, .. } = RowScans::of(expr, Axioms::of(program))?;
    let ExprKind::Scan(_, function, initial, input) = &scan.kind else { return None };
    let values = values.iter().map(|binding| &binding.value);
    let parts = then.iter().map(|function| &function.body).chain(values);
    let takes_loops = parts.chain([&function.body, initial, input]).any(|part| takes_a_loop(part));
    if takes_loops || [&matrix, input].into_iter().any(|array| is_rearranged(array, body)) {
        return None;
    }
    let Tile { items, each } = Tile::within(&initial.ty, most_items)?;
    let sizes = [items, each, PART].map(|size| Argument::Size(Nat::constant(size)));
    Some(Strategy::Apply(rule, sizes.to_vec()))
}

/// Whether groups may share the scans of the rows of a matrix: at once, or once the map is split.
fn scans_rows(expr: &Arc<Expr>, body: &Expr, program: &Program, who: SharingRowScans) -> bool {
    let is_split = || is_split(expr, &program.functions) && leaves_scans(expr, body, program);
    who != SharingRowScans::Alone && (divided_rows(expr, body, program, who).is_some() || is_split())
}

/// Whether a map over rows, once what takes a loop for each row and the arrays that are stored have maps of
/// their own, leaves scans of rows that lie side by side.
pub(super) fn leaves_scans(map: &Expr, body: &Expr, program: &Program) -> bool {
    let Some(mut rest) = map.function_body() else { return false };
    while let ExprKind::Let { body, .. } = &rest.kind {
        rest = body;
    }
    scans_row(rest, map, body, program)
}

/// The lengths of the scans of rows that the function of a map binds, which get maps of their own.
fn bound_scans(map: &Arc<Expr>, body: &Expr, program: &Program) -> Vec<Nat> {
    let Some(mut rest) = map.function_body().filter(|_| is_split(map, &program.functions)) else {
        return Vec::new();
    };
    let mut lengths = Vec::new();
    while let ExprKind::Let { bindings, body: inner } = &rest.kind {
        let stored = bindings.iter().filter(|binding| is_stored(binding, &program.functions));
        let scans = stored.filter(|binding| scans_row(&binding.value, map, body, program));
        lengths.extend(scans.filter_map(|scan| Some(scan.value.ty.as_array()?.length.clone())));
        rest = inner;
    }
    lengths
}

/// Whether an expression in the function of a map scans a row, whose elements lie side by side.
fn scans_row(row: &Arc<Expr>, map: &Expr, body: &Expr, program: &Program) -> bool {
    let ExprKind::Map(MapKind::Unspecified, Lambda { index: None, .. }, matrix) = &map.kind else {
        return false;
    };
    let row = match &row.kind {
        ExprKind::Store(None, row) => row,
        _ => row,
    };
    let scan = maps_of_values(row).1;
    let is_side_by_side = |input| ![matrix, input].into_iter().any(|array| is_rearranged(array, body));
    may_scan_by_tiles(scan, Axioms::of(program)) && scan.input().is_some_and(is_side_by_side)
}

/// Whether an expression scans the rows of all matrices of an array, which are rows of one matrix, too.
pub(super) fn scans_rows_of_matrices(
    expr: &Expr,
    body: &Expr,
    program: &Program,
    who: SharingRowScans,
) -> bool {
    let ExprKind::Map(MapKind::Unspecified, function, matrices) = &expr.kind else { return false };
    let inner = &function.body;
    let ([(matrix, _)], ExprKind::Map(_, of_row, rows)) = (function.parameters.as_slice(), &inner.kind)
    else {
        return false;
    };
    matches!(&rows.kind, ExprKind::Variable(name) if name == matrix)
        && !mentions(&of_row.body, matrix)
        && !is_rearranged(matrices, body)
        && (scans_rows(inner, body, program, who) || scans_rows_of_matrices(inner, body, program, who))
}

/// Whether neighbours in an array may lie far apart in memory. What takes loops is stored before it is read.
fn is_rearranged(array: &Expr, body: &Expr) -> bool {
    match &array.kind {
        ExprKind::Store(..) => false,
        ExprKind::Variable(name) => value_of(name, body).is_some_and(|value| is_rearranged(value, body)),
        ExprKind::Map(_, function, _) if takes_a_loop(&function.body) => false,
        ExprKind::Layout(layout, input) => {
            let keeps_neighbours = matches!(
                layout,
                Layout::Join | Layout::Split { .. } | Layout::Slice { .. } | Layout::Slide { .. }
            );
            !keeps_neighbours || is_rearranged(input, body)
        }
        _ => array.children().any(|child| is_rearranged(child, body)),
    }
}

/// What a `let` binds to a name.
fn value_of<'e>(name: &Variable, body: &'e Expr) -> Option<&'e Expr> {
    if let ExprKind::Let { bindings, .. } = &body.kind
        && let Some(binding) = bindings.iter().find(|binding| binding.variable == *name)
    {
        return Some(&binding.value);
    }
    body.children().find_map(|child| value_of(name, child))
}

/// The lengths of rows whose scans may be divided.
pub(crate) fn lengths_of_scanned_rows(program: &Program) -> Vec<Nat> {
    let mut lengths = Vec::new();
    collect_lengths(&program.body, program, &mut lengths);
    lengths
}

fn collect_lengths(expr: &Arc<Expr>, program: &Program, lengths: &mut Vec<Nat>) {
    let (body, who) = (&program.body, SharingRowScans::InTiles);
    lengths.extend(bound_scans(expr, body, program));
    if scans_rows(expr, body, program, who) || scans_rows_of_matrices(expr, body, program, who) {
        lengths.extend(expr.ty.shape().pop());
        return;
    }
    // What a function of a map scans is the work of one work-item.
    let is_map = matches!(expr.kind, ExprKind::Map(..));
    let parts = expr.children().enumerate().filter(|(at, _)| !(is_map && expr.is_function_body(*at)));
    parts.for_each(|(_, part)| collect_lengths(part, program, lengths));
}

/// Whether a scan that is divided stands anywhere in an expression.
pub(crate) fn holds_divisible_scan(expr: &Expr, program: &Program) -> bool {
    divided_scan(expr, program).is_some() || expr.children().any(|child| holds_divisible_scan(child, program))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::scalar::ScalarType;

    #[test]
    fn every_small_element_has_a_tile_that_fits_and_spreads_over_banks() {
        let scalars = [ScalarType::Bool, ScalarType::I16, ScalarType::F32, ScalarType::F64];
        let vectors = scalars.into_iter().flat_map(|ty| [2, 4, 8, 16].map(|width| Type::Vector(ty, width)));
        for element in scalars.into_iter().map(Type::Scalar).chain(vectors) {
            let tile = Tile::of(&element).expect("it is small");
            let bytes = element.constant_bytes().expect("no size is in it");
            assert!(2 * tile.length() * bytes <= LOCAL_MEMORY, "{element}");
            assert_eq!((tile.each % 2, tile.items % PART), (1, 0), "{element}");
        }
    }

    #[test]
    fn larger_elements_have_smaller_tiles_until_there_is_none() {
        let tuple = |count: usize| Type::Tuple(vec![Type::Scalar(ScalarType::F64); count]);
        let lengths = [1, 2, 4, 8, 16, 32, 64].map(|count| Tile::of(&tuple(count)).map_or(0, Tile::length));
        assert_eq!(lengths, [896, 448, 224, 112, 48, 16, 0]);
    }
}
