//! Scans of the rows of a matrix, which work-groups share.
//!
//! Undivided, a work-item walks over each row, and neighbours read far apart. Each row is scanned as
//! [`super::scan_tiles`] scans a whole array, with a group for each tile of each row: the groups of a kernel
//! have two dimensions. Where a tile has room for a row, one kernel suffices, which reads each element once.
//!
//! What the function computes of a row before it scans, and of the prefixes after, is computed with them:
//! single values once for each group.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Kind, Redex, Rule};
use super::parts::is_outside_functions;
use super::scan_tiles::{Division, Rows, Scanned, Tile, maps_of_values, may_scan_by_tiles, stage};
use crate::ir::nat::Nat;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::Build;
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, MapKind, Requirement, ScanKind, Variable};
use crate::middle::laws::{Accumulation, Axioms, Operator};
use crate::middle::stated::Builder;

/// Work-groups scan the tiles of rows. The tile of a group has this number of work-items, this number of
/// elements of each, and one work-item combines the totals of this number of work-items.
pub const SCAN_ROWS_BY_TILES: Rule = Rule {
    name: "scanRowsByTiles",
    statement: "a >> map(|row| row >> scan(op, z) >> map(f)) = the same, each row by scanByTiles, in \
                work-groups of two dimensions",
    origin: "Blelloch, Prefix sums and their applications, 1990; Merrill and Garland, 2016",
    parameters: &[Kind::Size, Kind::Size, Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| {
        divided(redex, Tile::of(arguments, redex)?, build, |division, stages| division.in_tiles(stages))
    },
};

/// A work-group scans a row, which has at most as many elements as its tile: the work-items, times the
/// elements of each. One work-item combines the totals of the third number of work-items.
pub const SCAN_ROWS_IN_GROUPS: Rule = Rule {
    name: "scanRowsInGroups",
    statement: "a >> map(|row| row >> scan(op, z) >> map(f)) = the same, each row by a work-group, for rows of \
                at most n * m elements",
    origin: "Blelloch, Prefix sums and their applications, 1990",
    parameters: &[Kind::Size, Kind::Size, Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| {
        let tile = Tile::of(arguments, redex)?;
        if let Some(row) = redex.expr.ty.as_array().and_then(|of| of.element.as_array()) {
            // Where a row lacks elements, its last one is repeated.
            build.need(Requirement::AtMost(Nat::one(), row.length.clone()), Purpose::Positive)?;
            let room = Requirement::AtMost(row.length.clone(), Nat::constant(tile.length()));
            build.need(room, Purpose::RoomSuffices)?;
        }
        divided(redex, tile, build, |division, _| division.in_one_tile())
    },
};

/// A scan of each row of a matrix.
pub(in crate::middle) struct RowScans {
    row: Variable,
    pub(in crate::middle) matrix: Arc<Expr>,
    /// The single values that are computed of each row first.
    pub(in crate::middle) values: Vec<Binding>,
    /// The functions of the maps over each scan, outermost first.
    pub(in crate::middle) then: Vec<Lambda>,
    pub(in crate::middle) scan: Arc<Expr>,
}

impl RowScans {
    /// A map over rows that may be divided: each is scanned. `None` for every other expression.
    pub(in crate::middle) fn of(expr: &Expr, axioms: Axioms<'_>) -> Option<RowScans> {
        let ExprKind::Map(MapKind::Unspecified, function, matrix) = &expr.kind else { return None };
        let [(row, _)] = function.parameters.as_slice() else { return None };
        let (values, body) = values_and_rest(&function.body)?;
        let (then, scan) = maps_of_values(body);
        let ExprKind::Scan(_, operator, ..) = &scan.kind else { return None };
        let is_regular = function.index.is_none() && matrix.ty.as_array()?.index.is_none();
        let is_same_for_all = !reads_row(&operator.body, row, &values)
            || reads_row_only_of_elements(operator, row, &values, axioms);
        let fits = is_regular && is_same_for_all && may_scan_by_tiles(scan, axioms);
        fits.then(|| RowScans {
            row: row.clone(),
            matrix: matrix.clone(),
            values,
            then: then.into_iter().cloned().collect(),
            scan: scan.clone(),
        })
    }
}

/// The single values that a function binds first, and the rest of its body. `None` if it binds arrays.
fn values_and_rest(body: &Arc<Expr>) -> Option<(Vec<Binding>, &Arc<Expr>)> {
    let (mut values, mut rest) = (Vec::new(), body);
    while let ExprKind::Let { bindings, body } = &rest.kind {
        values.extend(bindings.iter().cloned());
        rest = body;
    }
    values.iter().all(|Binding { value, .. }| value.ty.is_element()).then_some((values, rest))
}

/// Whether an expression reads the row, or a value that is computed of it.
fn reads_row(expr: &Arc<Expr>, row: &Variable, values: &[Binding]) -> bool {
    mentions(expr, row) || values.iter().any(|Binding { variable, .. }| mentions(expr, variable))
}

/// Whether the operator of a scan does not read the row, although the function does.
fn reads_row_only_of_elements(
    function: &Lambda,
    row: &Variable,
    values: &[Binding],
    axioms: Axioms<'_>,
) -> bool {
    let mut unused = u32::MAX;
    let mut fresh = || {
        unused -= 1;
        unused
    };
    Accumulation::of(function, axioms, &mut fresh)
        .is_some_and(|accumulation| !reads_row(&accumulation.operator.body, row, values))
}

fn divided(
    redex: &Redex<'_>,
    tile: Tile,
    build: &mut Build<'_>,
    prefixes: impl FnOnce(&mut Division<'_, '_>, &mut Vec<Binding>) -> Arc<Expr>,
) -> Result<Arc<Expr>, Mismatch> {
    let axioms = Axioms::of_place(build);
    let Some(RowScans { row, matrix, values, then, scan }) = RowScans::of(redex.expr, axioms) else {
        return Err(redex.is_not("a scan of each row, whose operator is known to be associative"));
    };
    if !is_outside_functions(redex) {
        return Err(Mismatch::condition(
            "the whole device computes it, outside of all functions",
            redex.expr,
        ));
    }
    let ExprKind::Scan(kind, of_scan, initial, input) = &scan.kind else {
        return Err(redex.is_not("a scan of each row"));
    };
    let divided = build.prover().numbered(|next_id| {
        let mut builder = Builder { next_id: *next_id };
        let Accumulation { element, operator } = Accumulation::of(of_scan, axioms, &mut || builder.fresh())?;
        let operator = Operator::of(&operator, axioms)?;
        let mut stages = Vec::new();
        let matrix = stage(&mut builder, "elements", matrix, &mut stages);
        let (initial, first) = match kind {
            ScanKind::Exclusive | ScanKind::ExclusiveSequential => (initial.clone(), Nat::zero()),
            // The first prefix is the first element as it is.
            ScanKind::Inclusive => (builder.at(input, Nat::zero()), Nat::one()),
        };
        let elements = match element {
            Some(element) => builder.map(element, input.clone()),
            None => input.clone(),
        };
        let then = then.into_iter().rev().collect();
        let rows = Some(Rows { parameter: row, matrix, values });
        let scanned = Scanned { elements, initial, first, then, rows };
        let prefixes = prefixes(&mut Division::new(operator, tile, scanned, &mut builder), &mut stages);
        let divided = builder.bind_all(stages, prefixes);
        *next_id = builder.next_id;
        Some(divided)
    });
    divided.ok_or_else(|| Mismatch::condition("the operator is known to be associative", redex.expr))
}
