//! Layouts that cancel, and layouts of all parts of a `zip`.
//!
//! The typing rules say what has to hold of sizes: a layout and its inverse cancel because the array that is
//! left has the type of the whole, which is proved or becomes a condition. So there is no arithmetic here but
//! that of positions.
//!
//! Rules that move layouts past maps and past each other are in `movement`.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapOf, is_zip_of_components, layout_of, mentions_besides, replace_all};
use super::super::rule::{Argument, Redex, Rule};
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::result::Judge;
use crate::ir::typed::{Expr, ExprKind, IndexFunction, Layout, MapKind};

/// A layout and the one that undoes it.
pub const REMOVE_INVERSES: Rule = Rule {
    name: "removeInverses",
    statement: "layout >> inverse = id: split(n) >> join, join >> split(n) for rows of length n, \
                transpose >> transpose, asVector(n) >> asScalar, gather(f) >> scatter(f), reverse >> reverse",
    origin: "ICFP 2015, section 4.1 (simplification rules); for gather and scatter GPGPU 2016",
    parameters: &[],
    regroups: false,
    apply: remove_inverses,
};

fn remove_inverses(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let (second, between) = layout_of(redex.expr, "a layout", 0)?;
    let (first, array) = layout_of(between, "a layout of a layout", 1)?;
    let undoes = match (first, second) {
        // What they read is the same in any case. They are about memory.
        (Layout::Increase { .. }, _) | (_, Layout::Increase { .. }) => false,
        (Layout::Gather(f), Layout::Scatter(g)) | (Layout::Scatter(f), Layout::Gather(g))
            if same_function(f, g) =>
        {
            true
        }
        (Layout::Gather(_) | Layout::Scatter(_), Layout::Gather(_) | Layout::Scatter(_)) => {
            cancel(first, second, array, build)?
        }
        _ => match first.inverse(&array.ty) {
            // That both have the same sizes is what equal types mean.
            Some(inverse) => std::mem::discriminant(&inverse) == std::mem::discriminant(second),
            None => false,
        },
    };
    // The inverse of `join` is one of two layouts, by whether rows have one length.
    let rows = matches!((first, second), (Layout::Join, Layout::Split { .. } | Layout::Partition(_)));
    match undoes || rows {
        true => Ok(array.clone()),
        false => Err(Mismatch::condition("the one layout undoes the other", redex.expr)),
    }
}

/// Whether two permutations of the elements of an array, one after the other, change nothing.
fn cancel(first: &Layout, second: &Layout, array: &Expr, build: &mut Build<'_>) -> Result<bool, Mismatch> {
    let length = build.array_type(array)?.length.clone();
    let (Some(inner), Some(outer)) = (reads(first, &length), reads(second, &length)) else {
        return Ok(false);
    };
    let index = build.index("i");
    let position = Nat::variable(&index);
    let prover = build.prover();
    let outside = prover.enter_index(&index, &length);
    let read = prover.simplified(&inner.apply(&outer.apply(&position)));
    prover.leave_index(outside, &index, &length)?;
    Ok(read == position)
}

/// The position that a permutation of the elements of an array reads, for each position; `None` where it is
/// not known.
fn reads(layout: &Layout, length: &Nat) -> Option<IndexFunction> {
    match layout {
        Layout::Gather(function) => Some(function.clone()),
        Layout::Scatter(function) => function.inverse(length),
        _ => None,
    }
}

fn same_function(left: &IndexFunction, right: &IndexFunction) -> bool {
    left.apply(&Nat::variable(&right.index)) == right.body
}

/// A slice of a slice.
pub const SLICE_SLICE: Rule = Rule {
    name: "sliceSlice",
    statement: "slice(s, m) >> slice(t, n) = slice(s + t, n)",
    origin: "SHINE, rules on take and drop",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `slice` of a `slice`";
        let (outer, between) = layout_of(redex.expr, WANTED, 0)?;
        let (inner, array) = layout_of(between, WANTED, 1)?;
        let (Layout::Slice { start: second, length }, Layout::Slice { start: first, .. }) = (outer, inner)
        else {
            return Err(Mismatch::form(WANTED, between, 1));
        };
        Ok(build.layout(Layout::Slice { start: first + second, length: length.clone() }, array.clone())?)
    },
};

/// A slice that takes everything.
pub const REMOVE_WHOLE_SLICE: Rule = Rule {
    name: "removeWholeSlice",
    statement: "slice(0, n) = id, on n elements",
    origin: "SHINE, `take` of all and `drop` of none",
    parameters: &[],
    regroups: false,
    apply: |redex, _, _| match &redex.expr.kind {
        // As many elements as there are can only start with the first.
        ExprKind::Layout(Layout::Slice { .. }, array) => Ok(array.clone()),
        _ => Err(redex.is_not("a `slice`")),
    },
};

/// A border without elements.
pub const REMOVE_EMPTY_PAD: Rule = Rule {
    name: "removeEmptyPad",
    statement: "pad(0, 0, b) = id, padConstant(0, 0, v) = id",
    origin: "SHINE, `padEmpty` of 0 elements",
    parameters: &[],
    regroups: false,
    apply: |redex, _, _| match &redex.expr.kind {
        // The length says that nothing is added.
        ExprKind::Layout(Layout::Pad { .. }, array) | ExprKind::PadConstant { input: array, .. } => {
            Ok(array.clone())
        }
        _ => Err(redex.is_not("a `pad`")),
    },
};

/// Two splits: the outer one collects rows of the inner one.
pub const SPLIT_SPLIT: Rule = Rule {
    name: "splitSplit",
    statement: "split(n) >> split(m) = split(n * m) >> map(split(n))",
    origin: "new: row i of group j starts at n * m * j + n * i on both sides",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `split` of a `split`";
        let (outer, between) = layout_of(redex.expr, WANTED, 0)?;
        let (inner, array) = layout_of(between, WANTED, 1)?;
        let (Layout::Split { chunk: rows }, Layout::Split { chunk }) = (outer, inner) else {
            return Err(Mismatch::form(WANTED, between, 1));
        };
        let groups = build.split(&(rows * chunk), array.clone())?;
        build.map_over(groups, "group", |build, group| Ok(build.split(chunk, group)?))
    },
};

/// One layout of all parts of a `zip`, which only says where elements are.
pub const REORDER_OUTSIDE_ZIP: Rule = Rule {
    name: "reorderOutsideZip",
    statement: "zip(a >> l, b >> l) = zip(a, b) >> l, for a gather, a scatter, a slice or a pad l",
    origin: "SHINE, `slideOutsideZip`, for layouts of elements",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        let ExprKind::Zip(parts) = &redex.expr.kind else { return Err(redex.is_not("a `zip`")) };
        let (layout, arrays) = common_layout(parts, 1)?;
        match layout {
            Layout::Gather(_) | Layout::Scatter(_) | Layout::Slice { .. } | Layout::Pad { .. } => {
                let zipped = build.zip(arrays)?;
                Ok(build.layout(layout.clone(), zipped)?)
            }
            _ => Err(Mismatch::form("a layout that keeps elements whole", &parts[0], 1)),
        }
    },
};

/// Rows of all parts of a `zip`, which are zipped in turn.
pub const ROWS_OUTSIDE_ZIP: Rule = Rule {
    name: "rowsOutsideZip",
    statement: "zip(a >> l, b >> l) >> map(|(r, s)| f(zip(r, s))) = zip(a, b) >> l >> map(f), \
                for a split, a partition or a slide l",
    origin: "SHINE, `slideOutsideZip`; GPGPU 2016 for split",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        let (map, layout, arrays) = zipped_rows(redex)?;
        match layout {
            Layout::Split { .. } | Layout::Partition(_) | Layout::Slide { .. } => {
                let zipped = build.zip(arrays)?;
                let rows = build.layout(layout.clone(), zipped)?;
                of_zipped_rows(map, rows, build)
            }
            _ => Err(Mismatch::form("a `split`, a `partition` or a `slide`", map.input, 2)),
        }
    },
};

/// Columns of all parts of a `zip`, which are zipped in turn.
pub const TRANSPOSE_OUTSIDE_ZIP: Rule = Rule {
    name: "transposeOutsideZip",
    statement: "zip(a >> transpose, b >> transpose) >> map(|(r, s)| f(zip(r, s))) \
                = zip(a, b) >> map(|(r, s)| zip(r, s)) >> transpose >> map(f)",
    origin: "GPGPU 2016, rules on zip",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        let (map, layout, arrays) = zipped_rows(redex)?;
        let Layout::Transpose = layout else {
            return Err(Mismatch::form("a `transpose`", map.input, 2));
        };
        let rows = zipped_twice(arrays, build)?;
        let columns = build.transpose(rows)?;
        of_zipped_rows(map, columns, build)
    },
};

/// Joined rows of all parts of a `zip`.
pub const JOIN_OUTSIDE_ZIP: Rule = Rule {
    name: "joinOutsideZip",
    statement: "zip(a >> join, b >> join) = zip(a, b) >> map(|(r, s)| zip(r, s)) >> join, \
                for rows of the same lengths",
    origin: "Lift, joinFromZip",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        let ExprKind::Zip(parts) = &redex.expr.kind else { return Err(redex.is_not("a `zip`")) };
        let (layout, arrays) = common_layout(parts, 1)?;
        let Layout::Join = layout else { return Err(Mismatch::form("a `join`", &parts[0], 1)) };
        let rows = zipped_twice(arrays, build)?;
        Ok(build.join(rows)?)
    },
};

/// `zip(…) >> map(|(r, s)| … zip(r, s) …)` where all zipped arrays have one layout and the body uses an
/// element only as that `zip`: the map, the layout, and the arrays below it.
fn zipped_rows<'e>(redex: &Redex<'e>) -> Result<(MapOf<'e>, &'e Layout, Vec<Arc<Expr>>), Mismatch> {
    let map = MapOf::read(redex.expr, "a `map` of a `zip`", 0)?;
    let ExprKind::Zip(parts) = &map.input.kind else {
        return Err(Mismatch::form("a `map` of a `zip`", map.input, 1));
    };
    let (layout, arrays) = common_layout(parts, 2)?;
    let is_zipped = |expr: &Arc<Expr>| is_zip_of_components(expr, map.parameter);
    match mentions_besides(map.body(), &is_zipped, map.parameter) {
        false => Ok((map, layout, arrays)),
        true => Err(Mismatch::condition("rows are used only zipped with each other", map.body())),
    }
}

/// The function of such a map, applied to rows that are zipped already.
fn of_zipped_rows(map: MapOf<'_>, rows: Arc<Expr>, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    if is_zip_of_components(map.body(), map.parameter) {
        return Ok(rows);
    }
    build.map_at(MapKind::Unspecified, rows, &map.parameter.name, |_, position, row| {
        let body = replace_all(map.body(), &|expr| is_zip_of_components(expr, map.parameter), &row);
        Ok(map.at_position(position, &body))
    })
}

/// `zip(a, b, …) >> map(|(r, s, …)| zip(r, s, …))`
fn zipped_twice(arrays: Vec<Arc<Expr>>, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let width = arrays.len();
    let zipped = build.zip(arrays)?;
    build.map_over(zipped, "rows", |build, rows| {
        let parts: Result<Vec<_>, _> = (0..width).map(|part| build.component(&rows, part)).collect();
        Ok(build.zip(parts?)?)
    })
}

/// The layout that all of several arrays have, and the arrays below it.
fn common_layout(parts: &[Arc<Expr>], depth: usize) -> Result<(&Layout, Vec<Arc<Expr>>), Mismatch> {
    const WANTED: &str = "arrays with one layout";
    let mut common: Option<&Layout> = None;
    let mut arrays = Vec::new();
    for part in parts {
        let (layout, array) = layout_of(part, WANTED, depth)?;
        if common.is_some_and(|common| !is_same(common, layout)) {
            return Err(Mismatch::form(WANTED, part, depth));
        }
        common = common.or(Some(layout));
        arrays.push(array.clone());
    }
    match common {
        Some(layout) => Ok((layout, arrays)),
        None => Err(Mismatch::Arguments),
    }
}

/// Whether two layouts are one, whatever they call positions.
fn is_same(left: &Layout, right: &Layout) -> bool {
    match (left, right) {
        (Layout::Gather(left), Layout::Gather(right)) | (Layout::Scatter(left), Layout::Scatter(right)) => {
            same_function(left, right)
        }
        (Layout::Partition(left), Layout::Partition(right)) => left.is_same(right),
        _ => left == right,
    }
}
