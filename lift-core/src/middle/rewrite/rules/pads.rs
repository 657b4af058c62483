//! Pads and slices of rows and columns, moved to where an array is taken: out of the function that takes
//! it, and past a `transpose`.
//!
//! An array of columns that are filled up becomes the transposed array of rows with more of them. So what
//! follows finds the array as it lies in memory, with a `transpose` around it, whatever its length.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{
    MapOf, is_variable, layout_inside, layout_of, mentions_besides, replace_all, transpose_of,
};
use super::super::rule::Rule;
use super::movement::inside;
use crate::ir::nat::Nat;
use crate::ir::typed::alpha::alpha_eq;
use crate::ir::typed::binders::free_sizes;
use crate::ir::typed::{Expr, ExprKind, Layout, MapKind};

/// A constant pad of every element, an array, before the map whose function made it.
pub const PAD_OF_ELEMENTS: Rule = Rule {
    name: "padOfElements",
    statement: "map(|x| f(x >> padConstant(l, r, v)), a) = map(padConstant(l, r, v), a) >> map(f), where f \
                takes x in no other way",
    origin: "Lift's mapFissionAtPosition, for what stands at several places",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `map` whose function pads its element by a constant";
        let map = MapOf::read(redex.expr, WANTED, 0)?;
        let Some(first) = find(map.body(), &|expr| pad_of(expr, &map).is_some()) else {
            return Err(redex.is_not(WANTED));
        };
        let Some(Pad { left, right, value }) = pad_of(first, &map) else {
            return Err(redex.is_not(WANTED));
        };
        let is_same = |expr: &Arc<Expr>| {
            pad_of(expr, &map)
                .is_some_and(|pad| pad.left == left && pad.right == right && alpha_eq(pad.value, value))
        };
        if mentions_besides(map.body(), &is_same, map.parameter) {
            return Err(Mismatch::condition("a function that takes its element in no other way", map.body()));
        }
        let name = &map.parameter.name;
        let padded = build.map_over(map.input.clone(), name, |build, row| {
            let value = build.copy(value);
            Ok::<_, Mismatch>(build.pad_constant(left.clone(), right.clone(), value, row)?)
        })?;
        build.map_at(MapKind::Unspecified, padded, name, |_, position, row| {
            Ok(map.at_position(position, &replace_all(map.body(), &is_same, &row)))
        })
    },
};

/// A constant pad of an array.
struct Pad<'e> {
    left: &'e Nat,
    right: &'e Nat,
    value: &'e Arc<Expr>,
}

/// The pad of the element of a map, if it is the same for all elements and at all places of the function.
fn pad_of<'e>(expr: &'e Arc<Expr>, map: &MapOf<'_>) -> Option<Pad<'e>> {
    let ExprKind::PadConstant { left, right, value, input } = &expr.kind else { return None };
    if !is_variable(input, map.parameter) || !is_closed(value) || map.is_position_mentioned_in(expr) {
        return None;
    }
    let outside = free_sizes(map.body());
    free_sizes(expr).iter().all(|size| outside.contains(size)).then_some(Pad { left, right, value })
}

/// Whether an expression reads no variable.
fn is_closed(expr: &Expr) -> bool {
    !matches!(expr.kind, ExprKind::Variable(_)) && expr.children().all(|child| is_closed(child))
}

/// The first expression of a form, outer ones before inner ones.
fn find<'e>(expr: &'e Arc<Expr>, is: &dyn Fn(&'e Arc<Expr>) -> bool) -> Option<&'e Arc<Expr>> {
    if is(expr) { Some(expr) } else { expr.children().find_map(|child| find(child, is)) }
}

/// A constant pad of every column: rows of constants.
pub const TRANSPOSE_BEFORE_MAP_PAD: Rule = Rule {
    name: "transposeBeforeMapPad",
    statement: "transpose >> map(padConstant(l, r, v)) = padConstant(l, r, repeat(M, v)) >> transpose",
    origin: "SHINE, movement rules; for pads: new",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `map` of a `padConstant` of a `transpose`";
        let map = MapOf::read(redex.expr, WANTED, 0)?;
        let array = transpose_of(map.input, WANTED, 1)?;
        let Some(Pad { left, right, value }) = pad_of(map.body(), &map) else {
            return Err(redex.is_not(WANTED));
        };
        let columns = build.array_type(map.input)?.length.clone();
        let row = build.copy(value);
        let row = build.repeat(columns, row)?;
        let rows = build.pad_constant(left.clone(), right.clone(), row, array.clone())?;
        Ok(build.transpose(rows)?)
    },
};

/// More columns, or fewer of them: longer rows, or shorter ones.
pub const TRANSPOSE_BEFORE_REORDER: Rule = Rule {
    name: "transposeBeforeReorder",
    statement: "transpose >> l = map(l) >> transpose, for a pad or a slice l",
    origin: "SHINE, movement rules; for pads: new",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `pad` or a `slice` of a `transpose`";
        let (layout, columns) = layout_of(redex.expr, WANTED, 0)?;
        if !chooses_elements(layout) {
            return Err(redex.is_not(WANTED));
        }
        let rows = inside(1, layout, transpose_of(columns, WANTED, 1)?.clone(), build)?;
        Ok(build.transpose(rows)?)
    },
};

/// A pad or a slice of every row, made of every column of the transposed array.
pub const REORDER_IN_ROWS: Rule = Rule {
    name: "reorderInRows",
    statement: "map(l) = transpose >> l >> transpose, for a pad or a slice l",
    origin: "Lift's transposeBothSides, for layouts",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `pad` or a `slice` of each row";
        let Some((layout, rows)) = layout_inside(redex.expr, 1) else { return Err(redex.is_not(WANTED)) };
        if !chooses_elements(layout) {
            return Err(redex.is_not(WANTED));
        }
        let columns = build.transpose(rows.clone())?;
        let columns = build.layout(layout.clone(), columns)?;
        Ok(build.transpose(columns)?)
    },
};

/// Whether a layout makes of an array another one of the same elements, some of them repeated or left out.
fn chooses_elements(layout: &Layout) -> bool {
    matches!(layout, Layout::Pad { .. } | Layout::Slice { .. })
}
