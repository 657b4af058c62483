//! Lowering to OpenCL: who computes the elements of a map, and how a reduction or a scan is computed (ICFP
//! 2015, section 5.3; CGO 2017, section 3.2).
//!
//! A rule gives workers to a map that has none yet, where the thread hierarchy allows it: a dimension of a
//! level nests at most once, `mapLcl` stands inside a `mapWrg`, `mapWrg` and `mapGlb` inside no other level.
//! These are the rules of `middle::check`, which refuses programs that break them. So outer maps are lowered
//! before inner ones.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Apply, Argument, Kind, Redex, Rule};
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, ExprKind, MapKind, ReduceKind, ScanKind};

const fn of_map(
    name: &'static str,
    statement: &'static str,
    parameters: &'static [Kind],
    apply: Apply,
) -> Rule {
    Rule { name, statement, origin: "ICFP 2015, section 5.3", parameters, regroups: false, apply }
}

const fn in_order(name: &'static str, statement: &'static str, apply: Apply) -> Rule {
    Rule { name, statement, origin: "CGO 2017, section 3.2", parameters: &[], regroups: false, apply }
}

/// A work-item computes the elements one after the other.
pub const MAP_SEQ: Rule =
    of_map("mapSeq", "map(f) = mapSeq(f)", &[], |redex, _, _| with_workers(redex, MapKind::Sequential));

/// A work-item computes the elements of an array of constant length in straight-line code.
pub const MAP_SEQ_UNROLL: Rule = of_map("mapSeqUnroll", "map(f) = mapSeqUnroll(f)", &[], |redex, _, _| {
    of_constant_length(redex.expr)?;
    with_workers(redex, MapKind::Unrolled)
});

/// Global work-items compute the elements.
pub const MAP_GLB: Rule =
    of_map("mapGlb", "map(f) = mapGlb0(f)", &[Kind::Dimension], |redex, arguments, _| {
        with_workers(redex, MapKind::Global(dimension(arguments)?))
    });

/// Work-groups compute the elements.
pub const MAP_WRG: Rule =
    of_map("mapWrg", "map(f) = mapWrg0(f)", &[Kind::Dimension], |redex, arguments, _| {
        with_workers(redex, MapKind::WorkGroup(dimension(arguments)?))
    });

/// Work-items of a group compute the elements.
pub const MAP_LCL: Rule =
    of_map("mapLcl", "map(f) = mapLcl0(f)", &[Kind::Dimension], |redex, arguments, _| {
        with_workers(redex, MapKind::Local(dimension(arguments)?))
    });

/// A work-item reduces the elements in order.
pub const REDUCE_SEQ: Rule = in_order("reduceSeq", "reduce(f, z) = reduceSeq(f, z)", |redex, _, build| {
    reduced(redex, ReduceKind::Sequential, build)
});

/// A work-item reduces the elements of an array of constant length in straight-line code.
pub const REDUCE_SEQ_UNROLL: Rule =
    in_order("reduceSeqUnroll", "reduce(f, z) = reduceSeqUnroll(f, z)", |redex, _, build| {
        if let ExprKind::Reduce(..) = &redex.expr.kind {
            of_constant_length(redex.expr)?;
        }
        reduced(redex, ReduceKind::Unrolled, build)
    });

/// A work-item loads the next element while it computes with the last one: software pipelining.
pub const REDUCE_SEQ_PIPELINED: Rule =
    in_order("reduceSeqPipelined", "reduce(f, z) = reduceSeqPipelined(f, z)", |redex, _, build| {
        reduced(redex, ReduceKind::Pipelined, build)
    });

/// A work-item computes all prefixes in order.
pub const SCAN_SEQ: Rule = in_order("scanSeq", "scan(f, z) = scanSeq(f, z)", |redex, _, build| {
    let ExprKind::Scan(ScanKind::Exclusive, function, initial, input) = &redex.expr.kind else {
        return Err(redex.is_not("a `scan`"));
    };
    let kind = ScanKind::ExclusiveSequential;
    Ok(build.expr(ExprKind::Scan(kind, function.clone(), initial.clone(), input.clone()))?)
});

/// A reduction is the one element of an array.
pub const REDUCE_TO_ARRAY: Rule = Rule {
    name: "reduceToArray",
    statement: "reduce(f, z, a) = [reduce(f, z, a)] >> head",
    origin: "ICFP 2015, section 3.1: `reduce` gives an array of one element there",
    parameters: &[],
    regroups: false,
    apply: reduce_to_array,
};

fn reduce_to_array(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Reduce(..) = &redex.expr.kind else { return Err(redex.is_not("a reduction")) };
    let array = build.expr(ExprKind::ArrayLiteral(vec![redex.expr.clone()]))?;
    Ok(build.at(Nat::zero(), array)?)
}

fn dimension(arguments: &[Argument]) -> Result<u8, Mismatch> {
    match arguments {
        [Argument::Dimension(dimension @ 0..=2)] => Ok(*dimension),
        _ => Err(Mismatch::Arguments),
    }
}

fn of_constant_length(expr: &Expr) -> Result<(), Mismatch> {
    let length = expr.input().and_then(|input| input.ty.as_array()?.length.as_constant());
    match length {
        Some(_) => Ok(()),
        None => Err(Mismatch::condition("only loops of constant length are unrolled", expr)),
    }
}

fn with_workers(redex: &Redex<'_>, kind: MapKind) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Map(MapKind::Unspecified, function, input) = &redex.expr.kind else {
        return Err(redex.is_not("a `map` whose workers are open"));
    };
    let around: Vec<MapKind> = redex.around.workers().collect();
    may_stand(kind, &around, redex.expr)?;
    stands_around(kind, &function.body)?;
    // Its type does not depend on who computes its elements.
    Ok(redex.expr.with_kind(ExprKind::Map(kind, function.clone(), input.clone())))
}

/// Demands that a map with these workers may stand in maps with those.
pub(super) fn may_stand(kind: MapKind, around: &[MapKind], at: &Expr) -> Result<(), Mismatch> {
    let conflict = around.iter().find_map(|outer| conflict(*outer, kind));
    if let Some(wanted) = conflict {
        return Err(Mismatch::condition(wanted, at));
    }
    let needs_group = matches!(kind, MapKind::Local(_));
    if needs_group && !around.iter().any(|outer| matches!(outer, MapKind::WorkGroup(_))) {
        return Err(Mismatch::condition("`mapLcl` stands inside a `mapWrg`", at));
    }
    Ok(())
}

/// Demands that the maps in an expression may stand in one with these workers.
fn stands_around(kind: MapKind, expr: &Expr) -> Result<(), Mismatch> {
    if let ExprKind::Map(inner, ..) = &expr.kind
        && let Some(wanted) = conflict(kind, *inner)
    {
        return Err(Mismatch::condition(wanted, expr));
    }
    expr.children().try_for_each(|child| stands_around(kind, child))
}

/// The rule of the thread hierarchy that a map breaks inside another one.
fn conflict(outer: MapKind, inner: MapKind) -> Option<&'static str> {
    use MapKind::{Global, Local, WorkGroup};
    match (outer, inner) {
        (Global(_), WorkGroup(_) | Local(_)) => Some("no other level stands inside a `mapGlb`"),
        (WorkGroup(_), Global(_)) => Some("`mapGlb` stands inside no `mapWrg`"),
        (Local(_), WorkGroup(_) | Global(_)) => Some("only `mapLcl` stands inside a `mapLcl`"),
        (Global(_), Global(_)) | (WorkGroup(_), WorkGroup(_)) | (Local(_), Local(_)) if outer == inner => {
            Some("a dimension of a level nests at most once")
        }
        _ => None,
    }
}

fn reduced(redex: &Redex<'_>, kind: ReduceKind, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Reduce(ReduceKind::Unspecified, function, initial, input) = &redex.expr.kind else {
        return Err(redex.is_not("a `reduce`"));
    };
    Ok(build.reduce(kind, function.clone(), initial.clone(), input.clone())?)
}
