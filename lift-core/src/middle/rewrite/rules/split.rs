//! Split-join: an array in chunks, for maps of maps and reductions of reductions (strip-mining).
//!
//! Each rule has an even form, whose need that the chunks fill the array comes from `split`, and an uneven
//! one for all lengths, whose last chunk is shorter. The element `x` of chunk `g` at `l` is the one at `n *
//! g + l` in either.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapOf, is_variable};
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::movement::each_of_rows;
use super::parts::{Reduction, map, name, names, reduction, size};
use crate::ir::nat::Nat;
use crate::ir::typed::build::{Build, Built, uses};
use crate::ir::typed::result::{self, Purpose};
use crate::ir::typed::{Expr, ExprKind, Lambda, Layout, MapKind, Requirement, Rows};
use crate::ir::types::ArrayType;

/// A map becomes a map of maps.
pub const SPLIT_JOIN: Rule = Rule {
    name: "splitJoin",
    statement: "map(f) = split(n) >> map(map(f)) >> join",
    origin: "ICFP 2015, section 4.1",
    parameters: &[Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| split_join(redex, arguments, even, build),
};

/// A map becomes a map of maps, for any length.
pub const SPLIT_JOIN_UNEVEN: Rule = Rule {
    name: "splitJoinUneven",
    statement: "map(f) = chunks(n) >> map(map(f)) >> join",
    origin: "new: split-join holds for rows of any lengths (FHPNC 2019 has such rows)",
    parameters: &[Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| split_join(redex, arguments, uneven, build),
};

/// A map becomes a map of maps whose elements lie side by side: row l has element l, element l + p and so on.
pub const DEAL_OUT: Rule = Rule {
    name: "dealOut",
    statement: "map(f) = deinterleave(p) >> map(map(f)) >> interleave",
    origin: "new: as splitJoin, for elements that work-items take in turn",
    parameters: &[Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| {
        let rows = size(arguments)?;
        let map = MapOf::read(redex.expr, "a `map`", 0)?;
        build.need(Requirement::AtMost(Nat::one(), rows.clone()), Purpose::Positive)?;
        let dealt = build.layout(Layout::Deinterleave { rows: rows.clone() }, map.input.clone())?;
        let mapped = each_of_rows(map, dealt, "own", build, |l, i| l + rows * i)?;
        Ok(build.layout(Layout::Interleave, mapped)?)
    },
};

/// A map of maps becomes a map: the inverse of both forms of split-join.
pub const JOIN_SPLIT: Rule = Rule {
    name: "joinSplit",
    statement: "map(map(f)) = join >> map(f) >> split(n), or partition(k, g) for rows of lengths g(i)",
    origin: "Lift's joinSplit",
    parameters: &[],
    regroups: false,
    apply: join_split,
};

/// An array in chunks, and put together again: before a reduction, or wherever an array stands.
pub const SPLIT_JOIN_ID: Rule = Rule {
    name: "splitJoinId",
    statement: "a = a >> split(n) >> join",
    origin: "Lift's splitJoinId",
    parameters: &[Kind::Size],
    regroups: false,
    apply: split_join_id,
};

/// Rows in one row, and cut apart again: an array of elements for rules about those.
pub const JOIN_SPLIT_ID: Rule = Rule {
    name: "joinSplitId",
    statement: "a = a >> join >> split(n), for rows of length n",
    origin: "the inverse of Lift's simplification of `join` and `split`",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| match redex.expr.ty.as_array().and_then(Rows::of) {
        Some(Rows { index: None, length, .. }) => {
            let joined = build.join(redex.expr.clone())?;
            Ok(build.split(&length, joined)?)
        }
        _ => Err(redex.is_not("an array of rows of one length")),
    },
};

/// A reduction becomes a reduction of chunks. Each goes on with the accumulator of the chunk before it. The
/// order stays, so that the operator needs no law.
pub const STRIP_MINE: Rule = Rule {
    name: "stripMine",
    statement: "reduce(f, z) = split(n) >> reduce(|acc, chunk| reduce(f, acc, chunk), z)",
    origin: "Shine's blockedReduce",
    parameters: &[Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| strip_mine(redex, arguments, even, build),
};

/// The same, for any length.
pub const STRIP_MINE_UNEVEN: Rule = Rule {
    name: "stripMineUneven",
    statement: "reduce(f, z) = chunks(n) >> reduce(|acc, chunk| reduce(f, acc, chunk), z)",
    origin: "new: strip-mining holds for rows of any lengths",
    parameters: &[Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| strip_mine(redex, arguments, uneven, build),
};

/// A reduction of reductions that hand on their accumulator becomes one: the inverse of strip-mining.
pub const REDUCE_JOIN: Rule = Rule {
    name: "reduceJoin",
    statement: "reduce(|acc, row| reduce(f, acc, row), z) = join >> reduce(f, z)",
    origin: "the inverse of Shine's blockedReduce",
    parameters: &[],
    regroups: false,
    apply: reduce_join,
};

/// A reduction of joined rows goes through the rows, and hands its accumulator on: the inverse of reduceJoin.
pub const JOIN_BEFORE_REDUCE: Rule = Rule {
    name: "joinBeforeReduce",
    statement: "join >> reduce(f, z) = reduce(|acc, row| reduce(f, acc, row), z)",
    origin: "Shine's blockedReduce, for rows that are there already",
    parameters: &[],
    regroups: false,
    apply: join_before_reduce,
};

/// A way to cut an array into chunks of at most this many elements.
pub(super) type Chunks = fn(&Nat, Arc<Expr>, &mut Build<'_>) -> Built;

/// Chunks of one length, which fill the array.
pub(super) fn even(chunk: &Nat, array: Arc<Expr>, build: &mut Build<'_>) -> Built {
    build.split(chunk, array)
}

/// `chunks(n)`: chunks of one length, and what is left. Where nothing is ever left, it is `split(n)`, as when it
/// is read.
pub(super) fn uneven(chunk: &Nat, array: Arc<Expr>, build: &mut Build<'_>) -> Built {
    build.need(Requirement::AtMost(Nat::one(), chunk.clone()), Purpose::Positive)?;
    let total = build.array_type(&array)?.length.clone();
    let index = build.index("g");
    let count = build.simplified(&(&total + chunk - Nat::one()).divide(chunk));
    let length = build.under_index(Some(&index), &count, |build| {
        let length = chunk.min(&(&total - chunk * Nat::variable(&index)));
        Ok::<_, result::Mismatch>(build.simplified(&length))
    })?;
    if length == *chunk {
        return build.split(chunk, array);
    }
    let index = length.mentions(&index).then_some(index);
    build.layout(Layout::Partition(Rows { index, length, count }), array)
}

fn split_join(
    redex: &Redex<'_>,
    arguments: &[Argument],
    chunks: Chunks,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let (function, array) = map(redex)?;
    let chunk = size(arguments)?;
    let rows = chunks(chunk, array.clone(), build)?;
    let mapped = build.map_at(MapKind::Unspecified, rows, "chunk", |build, outer, row| {
        build.map_at(MapKind::Unspecified, row, name(function, 0), |build, inner, element| {
            let position = chunk * outer + inner;
            Ok::<_, Mismatch>(build.apply(function, Some(&position), vec![element])?)
        })
    })?;
    Ok(build.join(mapped)?)
}

fn split_join_id(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    if redex.expr.ty.as_array().is_none() {
        return Err(redex.is_not("an array"));
    }
    let chunks = build.split(size(arguments)?, redex.expr.clone())?;
    Ok(build.join(chunks)?)
}

fn strip_mine(
    redex: &Redex<'_>,
    arguments: &[Argument],
    chunks: Chunks,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let Reduction { kind, function, initial, array } = reduction(redex)?;
    let chunk = size(arguments)?;
    let rows = chunks(chunk, array.clone(), build)?;
    let of_chunks = Reduction { kind, function, initial, array: &rows };
    let outer = of_rows([name(function, 0), "chunk"], |number| chunk * number, &of_chunks, build)?;
    Ok(build.reduce(kind, outer, initial.clone(), rows)?)
}

/// A function that is applied to all elements of rows, to be applied to them one after the other.
struct RowFunction<'e> {
    rows: Rows,
    /// The function that is applied to a row.
    outer: &'e Lambda,
    /// The function that this one applies to an element.
    inner: &'e Lambda,
}

impl<'e> RowFunction<'e> {
    /// Where the inner function mentions neither the row as a whole nor what else is bound with it.
    fn of(
        array: &ArrayType,
        outer: &'e Lambda,
        inner: &'e Lambda,
        redex: &Redex<'_>,
    ) -> Result<RowFunction<'e>, Mismatch> {
        let Some(rows) = Rows::of(array) else { return Err(redex.is_not("an array of arrays")) };
        if outer.parameters.iter().any(|(parameter, _)| uses(&inner.body, parameter) > 0) {
            let wanted = "the inner function mentions nothing of the outer one";
            return Err(Mismatch::condition(wanted, &inner.body));
        }
        let is_positioned =
            inner.index.is_some() || outer.index.as_ref().is_some_and(|index| inner.mentions_index(index));
        if rows.index.is_some() && is_positioned {
            let wanted = "the position of an element follows from its position in the joined rows";
            return Err(Mismatch::condition(wanted, &inner.body));
        }
        Ok(RowFunction { rows, outer, inner })
    }

    /// The application to the element at a position of the joined rows.
    fn apply(
        &self,
        position: &Nat,
        arguments: Vec<Arc<Expr>>,
        build: &mut Build<'_>,
    ) -> Result<Arc<Expr>, Mismatch> {
        let (row, column) = (position.divide(&self.rows.length), position.modulo(&self.rows.length));
        let at_row = match &self.outer.index {
            None => self.inner.clone(),
            Some(index) => self.inner.substitute(&[(index.clone(), row)].into()),
        };
        Ok(build.apply(&at_row, Some(&column), arguments)?)
    }
}

fn join_split(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let (outer, array) = map(redex)?;
    let ExprKind::Map(MapKind::Unspecified, inner, row) = &outer.body.kind else {
        return Err(Mismatch::form("a `map` of `map`", &outer.body, 1));
    };
    if !is_last_parameter(row, outer) {
        return Err(Mismatch::form("a `map` over the row itself", row, 2));
    }
    let of = build.array_type(array)?;
    let function = RowFunction::of(&of, outer, inner, redex)?;
    let joined = build.join(array.clone())?;
    let mapped = build.map_at(MapKind::Unspecified, joined, name(inner, 0), |build, position, element| {
        function.apply(position, vec![element], build)
    })?;
    let rows = function.rows;
    Ok(match rows.index {
        None => build.split(&rows.length, mapped)?,
        Some(_) => build.layout(Layout::Partition(rows), mapped)?,
    })
}

fn reduce_join(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let Reduction { kind, function: outer, initial, array } = reduction(redex)?;
    let ExprKind::Reduce(inner_kind, inner, total, row) = &outer.body.kind else {
        return Err(Mismatch::form("a reduction of reductions", &outer.body, 1));
    };
    let hands_on = outer.parameters.first().is_some_and(|(accumulator, _)| is_variable(total, accumulator));
    if !hands_on || !is_last_parameter(row, outer) {
        return Err(Mismatch::form("a reduction of the row itself, from the accumulator", &outer.body, 2));
    }
    if kind != *inner_kind {
        return Err(Mismatch::form("a reduction that is computed as the outer one", &outer.body, 3));
    }
    let of = build.array_type(array)?;
    let function = RowFunction::of(&of, outer, inner, redex)?;
    let joined = build.join(array.clone())?;
    let fused = build.accumulation_at(
        names(inner),
        &initial.ty,
        &joined,
        |build, position, accumulator, element| function.apply(position, vec![accumulator, element], build),
    )?;
    Ok(build.reduce(kind, fused, initial.clone(), joined)?)
}

fn join_before_reduce(
    redex: &Redex<'_>,
    _: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let Reduction { kind, function, initial, array } = reduction(redex)?;
    let ExprKind::Layout(Layout::Join, rows) = &array.kind else {
        return Err(Mismatch::form("a reduction of a `join`", array, 1));
    };
    let Some(of) = Rows::of(&*build.array_type(rows)?) else {
        return Err(Mismatch::form("an array of rows", rows, 2));
    };
    let of_joined = Reduction { kind, function, initial, array: rows };
    let outer = of_rows([name(function, 0), "row"], |row| of.start(row), &of_joined, build)?;
    Ok(build.reduce(kind, outer, initial.clone(), rows.clone())?)
}

/// The function that reduces a row of the array of a reduction from the accumulator of the rows before.
/// `start` is where the row at a position starts.
fn of_rows(
    names_of_row: [&str; 2],
    start: impl Fn(&Nat) -> Nat,
    Reduction { kind, function, initial, array }: &Reduction<'_>,
    build: &mut Build<'_>,
) -> Result<Lambda, Mismatch> {
    build.accumulation_at(names_of_row, &initial.ty, array, |build, outer, total, row| {
        let inner =
            build.accumulation_at(names(function), &initial.ty, &row, |build, inner, total, element| {
                let position = start(outer) + inner;
                Ok::<_, Mismatch>(build.apply(function, Some(&position), vec![total, element])?)
            })?;
        Ok::<_, Mismatch>(build.reduce(*kind, inner, total, row)?)
    })
}

/// Whether an expression is the element that a function takes.
fn is_last_parameter(expr: &Expr, function: &Lambda) -> bool {
    function.parameters.last().is_some_and(|(element, _)| is_variable(expr, element))
}
