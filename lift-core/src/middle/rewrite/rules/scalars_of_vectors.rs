//! Vectors in place of scalars, from where they are read to where they are used: `asScalar` moves outwards,
//! past everything that computes with the scalars.
//!
//! `vectors` makes vectors of the arrays of one map. Here the array is one of vectors already, which may be
//! kept in registers, and everything that is made of its scalars is made of its vectors: what a map makes of
//! them, what a `let` names, and what a reduction combines.

use std::sync::Arc;

use super::super::lift::lift;
use super::super::mismatch::Mismatch;
use super::super::recognise::{is_component, is_variable, mentions_besides, replace_all};
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::parts::{map, operator_copy, reorderable, start};
use super::vectors::{as_scalars, as_vectors, width};
use crate::ir::typed::build::Build;
use crate::ir::typed::{Binding, Expr, ExprKind, Layout, MapKind, ReduceKind};
use crate::ir::types::Type;
use crate::middle::laws::Axioms;

/// A map over rows of scalars takes rows of vectors.
pub const ROWS_OF_VECTORS: Rule = Rule {
    name: "rowsOfVectors",
    statement: "map(|(r, s)| f(r, s), zip(a, b)) = zip(a >> map(asVector(w)), b >> map(asVector(w))) >> \
                map(|(r, s)| f(r >> asScalar, s >> asScalar)), for arrays of rows of scalars that vectors fill; the \
                same for one array, and beside others",
    origin: "CGO 2017, section 3.2, for the rows of a map",
    parameters: &[Kind::Width],
    regroups: false,
    apply: rows_of_vectors,
};

fn rows_of_vectors(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let width = width(arguments)?;
    let (function, rows) = map(redex)?;
    let [(element, ty)] = function.parameters.as_slice() else {
        return Err(redex.is_not("a `map` of one array"));
    };
    if function.index.is_some() {
        return Err(Mismatch::condition("the function does not use its position", redex.expr));
    }
    let is_row = |ty: &Type| ty.as_array().is_some_and(|row| matches!(row.element, Type::Scalar(_)));
    let positions: Vec<usize> = match ty {
        Type::Tuple(parts) => (0..parts.len()).filter(|position| is_row(&parts[*position])).collect(),
        _ => Vec::new(),
    };
    if !is_row(ty) && positions.is_empty() {
        return Err(redex.is_not("a `map` over rows of scalars"));
    }
    let is_part = |expr: &Arc<Expr>| match &expr.kind {
        ExprKind::Component(tuple, _) => is_variable(tuple, element),
        _ => false,
    };
    if !positions.is_empty() && mentions_besides(&function.body, &is_part, element) {
        return Err(Mismatch::condition("the function takes each array of the `zip` by itself", redex.expr));
    }
    let vectors = match &rows.kind {
        ExprKind::Zip(parts) => {
            let mut all = parts.clone();
            for position in &positions {
                all[*position] = rows_as_vectors(&parts[*position], width, build)?;
            }
            build.zip(all)?
        }
        _ if positions.is_empty() => rows_as_vectors(rows, width, build)?,
        _ => return Err(Mismatch::form("a `map` of a `zip`", rows, 1)),
    };
    build.map_with(MapKind::Unspecified, vectors, &element.name, |build, vectors| {
        let mut body = function.body.clone();
        if positions.is_empty() {
            let scalars = as_scalars(vectors, build)?;
            return Ok(replace_all(&body, &|expr| is_variable(expr, element), &scalars));
        }
        for position in &positions {
            let scalars = as_scalars(build.component(&vectors, *position)?, build)?;
            body = replace_all(&body, &|expr| is_component(expr, element, *position), &scalars);
        }
        // The other components are what they were.
        Ok(replace_all(&body, &|expr| is_variable(expr, element), &vectors))
    })
}

fn rows_as_vectors(rows: &Arc<Expr>, width: u8, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    build.map_over(rows.clone(), "row", |build, row| as_vectors(&row, width, build))
}

/// What a map makes of the scalars of vectors are the scalars of what it makes of the vectors.
pub const AS_SCALAR_AFTER_MAP: Rule = Rule {
    name: "asScalarAfterMap",
    statement: "a >> asScalar >> map(f) = a >> map(lift(f, w)) >> asScalar; of a `zip`, the other arrays become \
                vectors, too",
    origin: "ICFP 2015, section 4.2, for an array that is one of vectors already",
    parameters: &[],
    regroups: false,
    apply: as_scalar_after_map,
};

fn as_scalar_after_map(
    redex: &Redex<'_>,
    _: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let (function, scalars) = map(redex)?;
    let Some(width) = width_of_scalars(scalars) else {
        return Err(Mismatch::form("a `map` of scalars of vectors", scalars, 1));
    };
    let vectors = vectors_of(scalars, width, build)?;
    let lifted = lift(function, width, build)?;
    let mapped = build.map(MapKind::Unspecified, lifted, vectors)?;
    as_scalars(mapped, build)
}

/// The width of the vectors whose scalars an array has, or one of those that it zips.
fn width_of_scalars(scalars: &Expr) -> Option<u8> {
    match &scalars.kind {
        ExprKind::Layout(Layout::AsScalar, vectors) => match vectors.ty.as_array()?.element {
            Type::Vector(_, width) => Some(width),
            _ => None,
        },
        ExprKind::Zip(parts) => parts.iter().find_map(|part| width_of_scalars(part)),
        _ => None,
    }
}

/// The vectors of an array, which are there already where it has their scalars.
fn vectors_of(scalars: &Arc<Expr>, width: u8, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    match &scalars.kind {
        ExprKind::Layout(Layout::AsScalar, vectors) if width_of_scalars(scalars) == Some(width) => {
            Ok(vectors.clone())
        }
        ExprKind::Zip(parts) => {
            let parts = parts.iter().map(|part| vectors_of(part, width, build));
            let parts = parts.collect::<Result<_, _>>()?;
            Ok(build.zip(parts)?)
        }
        _ => as_vectors(scalars, width, build),
    }
}

/// A `let` names the vectors, and not their scalars.
pub const AS_SCALAR_AFTER_LET: Rule = Rule {
    name: "asScalarAfterLet",
    statement: "{ let x = a >> asScalar; f(x) } = { let x = a; f(x >> asScalar) }",
    origin: "new: `asScalar` only says how memory is read",
    parameters: &[],
    regroups: false,
    apply: as_scalar_after_let,
};

fn as_scalar_after_let(
    redex: &Redex<'_>,
    _: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Let { bindings, body } = &redex.expr.kind else { return Err(redex.is_not("a `let`")) };
    let vectors = |binding: &Binding| match &binding.value.kind {
        ExprKind::Layout(Layout::AsScalar, vectors) => Some(vectors.clone()),
        _ => None,
    };
    let found = bindings.iter().enumerate().find_map(|(position, of)| Some((position, of, vectors(of)?)));
    let Some((position, Binding { variable: scalars, .. }, vectors)) = found else {
        return Err(Mismatch::form("a `let` of the scalars of vectors", redex.expr, 1));
    };
    let variable = build.variable(&scalars.name);
    let named = build.read(&variable, &vectors.ty);
    let named = as_scalars(named, build)?;
    let renamed = |expr: &Arc<Expr>| replace_all(expr, &|expr| is_variable(expr, scalars), &named);
    let mut all = bindings[..position].to_vec();
    all.push(Binding { variable, value: vectors });
    all.extend(bindings[position + 1..].iter().map(|later| later.with_value(renamed(&later.value))));
    Ok(build.bind_all(all, renamed(body))?)
}

/// A reduction of the scalars of vectors first combines those of each vector.
pub const REDUCE_VECTORS: Rule = Rule {
    name: "reduceVectors",
    statement: "a >> asScalar >> reduce(op, z) = a >> map(|v| [v] >> asScalar >> reduceSeqUnroll(op, e)) >> \
                reduce(op, z), where op(e, x) = x, or e = z where op(x, x) = x",
    origin: "ICFP 2015, section 4.1 (partial reduction), for the scalars of a vector",
    parameters: &[],
    regroups: true,
    apply: reduce_vectors,
};

fn reduce_vectors(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let (reduction, operator) = reorderable(redex, Axioms::of_place(build))?;
    let ExprKind::Layout(Layout::AsScalar, vectors) = &reduction.array.kind else {
        return Err(Mismatch::form("a reduction of the scalars of vectors", reduction.array, 1));
    };
    let Some(first) = &operator.start else {
        let wanted = "the operator is known to have an identity, or may take its initial value again";
        return Err(Mismatch::condition(wanted, redex.expr));
    };
    let parts = build.map_with(MapKind::Unspecified, vectors.clone(), "vector", |build, vector| {
        let one = build.array_literal(vec![vector])?;
        let scalars = as_scalars(one, build)?;
        let operator = operator_copy(reduction.function, build)?;
        let first = start(first, reduction.initial, build)?;
        Ok::<_, Mismatch>(build.reduce(ReduceKind::Unrolled, operator, first, scalars)?)
    })?;
    Ok(build.reduce(reduction.kind, reduction.function.clone(), reduction.initial.clone(), parts)?)
}
