//! Layouts that move past maps, and past each other.
//!
//! A chain of an optimisation makes layouts where it needs them; these rules bring them to where they cancel,
//! or where reading through them costs nothing. They are the movement rules of SHINE, which is where the
//! names are from: a name says what stands there before the rule is applied, so that `mapMapFBeforeTranspose`
//! makes `transpose >> map(map(f))`. A function that knows its position keeps knowing it: it is given the
//! formula for the position that the element had.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapMapOf, MapOf, join_of, layout_inside, layout_of, split_of, transpose_of};
use super::super::rule::{Redex, Rule};
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, Layout, MapKind, Rows};

type Right = Result<Arc<Expr>, Mismatch>;

/// `transpose` before the map whose result it transposed.
pub const MAP_MAP_F_BEFORE_TRANSPOSE: Rule = Rule {
    name: "mapMapFBeforeTranspose",
    statement: "map(|r| g(r) >> map(f)) >> transpose = map(g) >> transpose >> map(map(f))",
    origin: "SHINE, movement rules; Lift, layout movement",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `transpose` of a `map` of a `map`";
        let map = MapMapOf::read_any(transpose_of(redex.expr, WANTED, 0)?, 1)?;
        let rows = map.walked(build)?;
        let columns = build.transpose(rows)?;
        each_of_columns(map, columns, build)
    },
};

/// `transpose` after the map that it stood before.
pub const TRANSPOSE_BEFORE_MAP_MAP_F: Rule = Rule {
    name: "transposeBeforeMapMapF",
    statement: "transpose >> map(map(f)) = map(map(f)) >> transpose",
    origin: "SHINE, movement rules; Lift, layout movement",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `map` of a `map` of a `transpose`";
        let map = MapMapOf::read(redex.expr, 0)?;
        let array = transpose_of(map.input(), WANTED, 1)?;
        let rows = each_of_columns(map, array.clone(), build)?;
        Ok(build.transpose(rows)?)
    },
};

/// The function of a map of a map, mapped over the transposed array: the positions change places.
pub(super) fn each_of_columns(map: MapMapOf<'_>, array: Arc<Expr>, build: &mut Build<'_>) -> Right {
    let (row, element) = (&map.rows.parameter.name, &map.elements.parameter.name);
    build.map_at(MapKind::Unspecified, array, row, |build, j, column| {
        build.map_at(MapKind::Unspecified, column, element, |build, i, element| {
            map.apply(build, i, j, element)
        })
    })
}

/// `split` before the map whose result it split.
pub const MAP_F_BEFORE_SPLIT: Rule = Rule {
    name: "mapFBeforeSplit",
    statement: "map(f) >> split(n) = split(n) >> map(map(f))",
    origin: "SHINE, movement rules; Lift, movingSplit",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `split` of a `map`";
        let (chunk, mapped) = split_of(redex.expr, WANTED, 0)?;
        let map = MapOf::read(mapped, WANTED, 1)?;
        let chunks = build.split(chunk, map.input.clone())?;
        each_of_rows(map, chunks, "chunk", build, |i, j| chunk * i + j)
    },
};

/// `deinterleave` before the map whose result it dealt out.
pub const MAP_F_BEFORE_DEINTERLEAVE: Rule = Rule {
    name: "mapFBeforeDeinterleave",
    statement: "map(f) >> deinterleave(p) = deinterleave(p) >> map(map(f))",
    origin: "new: as mapFBeforeSplit, element i of row l is element l + p * i",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `deinterleave` of a `map`";
        let (Layout::Deinterleave { rows }, mapped) = layout_of(redex.expr, WANTED, 0)? else {
            return Err(redex.is_not(WANTED));
        };
        let map = MapOf::read(mapped, WANTED, 1)?;
        let dealt = build.layout(Layout::Deinterleave { rows: rows.clone() }, map.input.clone())?;
        each_of_rows(map, dealt, "own", build, |l, i| l + rows * i)
    },
};

/// `split` after the map that it stood before.
pub const SPLIT_BEFORE_MAP_MAP_F: Rule = Rule {
    name: "splitBeforeMapMapF",
    statement: "split(n) >> map(map(f)) = map(f) >> split(n)",
    origin: "SHINE, movement rules; Lift, joinSplit",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `map` of a `map` of a `split`";
        let map = MapMapOf::read(redex.expr, 0)?;
        let (chunk, array) = split_of(map.input(), WANTED, 1)?;
        let elements = each_in_a_row(map, array.clone(), chunk, build)?;
        Ok(build.split(chunk, elements)?)
    },
};

/// `join` before the map whose result it joined.
pub const MAP_MAP_F_BEFORE_JOIN: Rule = Rule {
    name: "mapMapFBeforeJoin",
    statement: "map(|r| g(r) >> map(f)) >> join = map(g) >> join >> map(f)",
    origin: "SHINE, movement rules; Lift, movingJoin",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `join` of a `map` of a `map`";
        let map = MapMapOf::read_any(join_of(redex.expr, WANTED, 0)?, 1)?;
        let walked = map.walked(build)?;
        let Some(rows) = Rows::of(&*build.array_type(&walked)?) else {
            return Err(Mismatch::form("an array of rows", map.input(), 2));
        };
        if rows.index.is_some() && map.knows_positions() {
            return Err(Mismatch::condition(
                "rows of one length, because the function knows positions",
                map.elements.body(),
            ));
        }
        let joined = build.join(walked)?;
        each_in_a_row(map, joined, &rows.length, build)
    },
};

/// `join` after the map that it stood before.
pub const JOIN_BEFORE_MAP_F: Rule = Rule {
    name: "joinBeforeMapF",
    statement: "join >> map(f) = map(map(f)) >> join",
    origin: "SHINE, movement rules; Lift, movingJoin",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `map` of a `join`";
        let map = MapOf::read(redex.expr, WANTED, 0)?;
        let array = join_of(map.input, WANTED, 1)?;
        let Some(rows) = Rows::of(&*build.array_type(array)?) else {
            return Err(Mismatch::form("an array of rows", array, 2));
        };
        let mapped = each_of_rows(map, array.clone(), "row", build, |i, j| rows.start(i) + j)?;
        Ok(build.join(mapped)?)
    },
};

/// The function of a map, mapped over the elements of rows. `position` is where the element `j` of row `i`
/// was.
pub(super) fn each_of_rows(
    map: MapOf<'_>,
    rows: Arc<Expr>,
    name: &str,
    build: &mut Build<'_>,
    position: impl Fn(&Nat, &Nat) -> Nat,
) -> Right {
    build.map_at(MapKind::Unspecified, rows, name, |build, i, row| {
        build.map_at(MapKind::Unspecified, row, &map.parameter.name, |build, j, element| {
            map.apply(build, &position(i, j), element)
        })
    })
}

/// The function of a map of a map, mapped over the elements of rows of one length, one row after the other.
fn each_in_a_row(map: MapMapOf<'_>, elements: Arc<Expr>, length: &Nat, build: &mut Build<'_>) -> Right {
    let name = &map.elements.parameter.name;
    build.map_at(MapKind::Unspecified, elements, name, |build, position, element| {
        map.apply(build, &position.divide(length), &position.modulo(length), element)
    })
}

/// A layout of elements before the map whose result it rearranged.
pub const MAP_F_BEFORE_REORDER: Rule = Rule {
    name: "mapFBeforeReorder",
    statement: "map(f) >> l = l >> map(f), for a gather, a scatter or a slice l",
    origin: "Lift, layout movement (`Map` over `Gather` and `Scatter`); SHINE, take and drop past map",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `gather`, a `scatter` or a `slice` of a `map`";
        let (layout, mapped) = layout_of(redex.expr, WANTED, 0)?;
        let map = MapOf::read(mapped, WANTED, 1)?;
        let length = build.array_type(map.input)?.length.clone();
        let inverse = match layout {
            Layout::Gather(_) | Layout::Slice { .. } => None,
            Layout::Scatter(function) => function.inverse(&length),
            _ => return Err(redex.is_not(WANTED)),
        };
        if matches!(layout, Layout::Scatter(_)) && inverse.is_none() && map.function.index.is_some() {
            return Err(Mismatch::condition(
                "a function that knows no position, because the `scatter` has no known inverse",
                map.body(),
            ));
        }
        let moved = build.layout(layout.clone(), map.input.clone())?;
        build.map_at(MapKind::Unspecified, moved, &map.parameter.name, |build, position, element| {
            let before = match (layout, &inverse) {
                (Layout::Slice { start, .. }, _) => start + position,
                (Layout::Gather(function), _) | (_, Some(function)) => function.apply(position),
                (_, None) => position.clone(),
            };
            map.apply(build, &before, element)
        })
    },
};

/// A layout of elements after the map that it stood before.
pub const REORDER_BEFORE_MAP_F: Rule = Rule {
    name: "reorderBeforeMapF",
    statement: "l >> map(f) = map(f) >> l, for a gather or a scatter l and a function of the element alone",
    origin: "Lift, layout movement (`Map` over `Gather` and `Scatter`)",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `map` of a `gather` or a `scatter`";
        let map = MapOf::read(redex.expr, WANTED, 0)?;
        let (layout, array) = match layout_of(map.input, WANTED, 1)? {
            (layout @ (Layout::Gather(_) | Layout::Scatter(_)), array) => (layout, array),
            _ => return Err(Mismatch::form(WANTED, map.input, 1)),
        };
        if map.is_position_mentioned_in(map.body()) {
            return Err(Mismatch::condition("a function that knows no position", map.body()));
        }
        let name = &map.parameter.name;
        let mapped =
            build.map_at(MapKind::Unspecified, array.clone(), name, |build, position, element| {
                map.apply(build, position, element)
            })?;
        Ok(build.layout(layout.clone(), mapped)?)
    },
};

/// A layout without its arguments, inside this number of maps.
#[derive(Clone, Copy)]
struct Inside(usize, Shape);

/// A layout without its arguments.
#[derive(Clone, Copy)]
enum Shape {
    Split,
    Slide,
    Join,
    Transpose,
}

/// A rule that makes a chain of layouts of another one. Both have one `split` or `slide`, or none of them,
/// with the same arguments.
macro_rules! rearranging {
    (
        $(#[$documentation:meta])*
        $constant:ident, $name:literal, $statement:literal, $left:expr, $right:expr
    ) => {
        $(#[$documentation])*
        pub const $constant: Rule = Rule {
            name: $name,
            statement: $statement,
            origin: "SHINE, movement rules",
            parameters: &[],
            regroups: false,
            apply: |redex, _, build| rearranged(redex, &$left, &$right, build),
        };
    };
}

use Shape::{Join, Slide, Split, Transpose};

rearranging!(
    /// The rows of split columns.
    TRANSPOSE_BEFORE_SPLIT,
    "transposeBeforeSplit",
    "transpose >> split(n) = map(split(n)) >> transpose >> map(transpose)",
    [Inside(0, Transpose), Inside(0, Split)],
    [Inside(1, Split), Inside(0, Transpose), Inside(1, Transpose)]
);
rearranging!(
    /// Columns cut into pieces: the rows cut into groups.
    TRANSPOSE_BEFORE_MAP_SPLIT,
    "transposeBeforeMapSplit",
    "transpose >> map(split(n)) = split(n) >> map(transpose) >> transpose",
    [Inside(0, Transpose), Inside(1, Split)],
    [Inside(0, Split), Inside(1, Transpose), Inside(0, Transpose)]
);
rearranging!(
    /// The columns of pieces of rows.
    MAP_SPLIT_BEFORE_TRANSPOSE,
    "mapSplitBeforeTranspose",
    "map(split(n)) >> transpose = transpose >> split(n) >> map(transpose)",
    [Inside(1, Split), Inside(0, Transpose)],
    [Inside(0, Transpose), Inside(0, Split), Inside(1, Transpose)]
);
rearranging!(
    /// Windows of columns, turned: the windows of each row.
    TRANSPOSE_BEFORE_SLIDE,
    "transposeBeforeSlide",
    "transpose >> slide(n, s) >> map(transpose) = map(slide(n, s)) >> transpose",
    [Inside(0, Transpose), Inside(0, Slide), Inside(1, Transpose)],
    [Inside(1, Slide), Inside(0, Transpose)]
);
rearranging!(
    /// The columns of joined rows.
    JOIN_BEFORE_TRANSPOSE,
    "joinBeforeTranspose",
    "join >> transpose = map(transpose) >> transpose >> map(join)",
    [Inside(0, Join), Inside(0, Transpose)],
    [Inside(1, Transpose), Inside(0, Transpose), Inside(1, Join)]
);
rearranging!(
    /// Joined columns.
    TRANSPOSE_BEFORE_MAP_JOIN,
    "transposeBeforeMapJoin",
    "transpose >> map(join) = map(transpose) >> join >> transpose",
    [Inside(0, Transpose), Inside(1, Join)],
    [Inside(1, Transpose), Inside(0, Join), Inside(0, Transpose)]
);
rearranging!(
    /// The columns of blocks, one block after the other.
    MAP_TRANSPOSE_BEFORE_JOIN,
    "mapTransposeBeforeJoin",
    "map(transpose) >> join = transpose >> map(join) >> transpose",
    [Inside(1, Transpose), Inside(0, Join)],
    [Inside(0, Transpose), Inside(1, Join), Inside(0, Transpose)]
);
rearranging!(
    /// The columns of rows that were joined.
    MAP_JOIN_BEFORE_TRANSPOSE,
    "mapJoinBeforeTranspose",
    "map(join) >> transpose = transpose >> map(transpose) >> join",
    [Inside(1, Join), Inside(0, Transpose)],
    [Inside(0, Transpose), Inside(1, Transpose), Inside(0, Join)]
);
rearranging!(
    /// Two joins, the inner first.
    JOIN_BEFORE_JOIN,
    "joinBeforeJoin",
    "join >> join = map(join) >> join",
    [Inside(0, Join), Inside(0, Join)],
    [Inside(1, Join), Inside(0, Join)]
);
rearranging!(
    /// Two joins, the outer first.
    MAP_JOIN_BEFORE_JOIN,
    "mapJoinBeforeJoin",
    "map(join) >> join = join >> join",
    [Inside(1, Join), Inside(0, Join)],
    [Inside(0, Join), Inside(0, Join)]
);
rearranging!(
    /// Three dimensions in the opposite order, in two ways.
    MAP_TRANSPOSE_BEFORE_TRANSPOSE,
    "mapTransposeBeforeTranspose",
    "map(transpose) >> transpose >> map(transpose) = transpose >> map(transpose) >> transpose",
    [Inside(1, Transpose), Inside(0, Transpose), Inside(1, Transpose)],
    [Inside(0, Transpose), Inside(1, Transpose), Inside(0, Transpose)]
);

/// The right side of such a rule.
fn rearranged(redex: &Redex<'_>, left: &[Inside], right: &[Inside], build: &mut Build<'_>) -> Right {
    let mut array = redex.expr;
    let mut divided = None;
    for (depth, Inside(maps, shape)) in left.iter().rev().enumerate() {
        array = match (shape, layout_inside(array, *maps)) {
            (Shape::Split, Some((found @ Layout::Split { .. }, inner)))
            | (Shape::Slide, Some((found @ Layout::Slide { .. }, inner))) => {
                divided = Some(found);
                inner
            }
            (Shape::Join, Some((Layout::Join, inner)))
            | (Shape::Transpose, Some((Layout::Transpose, inner))) => inner,
            (Shape::Split | Shape::Slide | Shape::Join | Shape::Transpose, _) => {
                return Err(Mismatch::form(wanted(*maps, *shape), array, depth));
            }
        };
    }
    let mut result = array.clone();
    for Inside(maps, shape) in right {
        let layout = match shape {
            Shape::Split | Shape::Slide => divided.ok_or(Mismatch::Arguments)?.clone(),
            Shape::Join => Layout::Join,
            Shape::Transpose => Layout::Transpose,
        };
        result = inside(*maps, &layout, result, build)?;
    }
    Ok(result)
}

/// A layout of arrays inside maps.
pub(super) fn inside(maps: usize, layout: &Layout, array: Arc<Expr>, build: &mut Build<'_>) -> Right {
    match maps {
        0 => Ok(build.layout(layout.clone(), array)?),
        _ => build.map_over(array, "row", |build, row| inside(maps - 1, layout, row, build)),
    }
}

fn wanted(maps: usize, shape: Shape) -> &'static str {
    match (shape, maps) {
        (Shape::Split, 0) => "a `split`",
        (Shape::Slide, 0) => "a `slide`",
        (Shape::Join, 0) => "a `join`",
        (Shape::Transpose, 0) => "a `transpose`",
        (Shape::Split, _) => "a `split` of each row",
        (Shape::Slide, _) => "a `slide` of each row",
        (Shape::Join, _) => "a `join` of each row",
        (Shape::Transpose, _) => "a `transpose` of each row",
    }
}
