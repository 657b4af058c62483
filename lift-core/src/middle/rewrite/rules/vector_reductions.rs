//! Reductions of vectors: each lane reduces every w-th element, and then the lanes are reduced.
//!
//! The operator has to be associative and commutative, since it meets the elements in another order. Every
//! lane starts from its identity element, or from its first element where no identity is known; the initial
//! value is used once. A reduction of something made of its elements is separated into that and the operator
//! first.

use std::sync::Arc;

use super::super::lift::lift;
use super::super::mismatch::Mismatch;
use super::super::recognise::{MapOf, is_variable};
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::parts::{Reduction, identity, operator_copy, reorderable};
use super::vectors::{as_scalars, as_vectors, width};
use crate::ir::nat::Nat;
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::BinaryOperator;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, ExprKind, Layout, ReduceKind};
use crate::middle::laws::{Axioms, Identity, Operator};

/// A reduction of vectors, for lengths that vectors fill.
pub const VECTORISE_REDUCE: Rule = Rule {
    name: "vectoriseReduce",
    statement: "reduce(op, z, a) = { let v = a >> asVector(w) >> reduce(lift(op, w), e); \
                [v] >> asScalar >> reduceSeqUnroll(op, z) }, where e is an identity of op; without one, \
                from the first vector on",
    origin: "CASES 2016, section 4",
    parameters: &[Kind::Width],
    regroups: true,
    apply: vectorise_reduce,
};

fn vectorise_reduce(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let width = width(arguments)?;
    let (reduction, Operator { identity, .. }) = reorderable(redex, Axioms::of_place(build))?;
    let vectors = as_vectors(reduction.array, width, build)?;
    reduce_lanes(&reduction, identity.as_ref(), vectors, width, build)
}

/// A reduction of vectors, and of the elements that fill none.
pub const VECTORISE_REDUCE_WITH_REST: Rule = Rule {
    name: "vectoriseReduceWithRest",
    statement: "reduce(op, z, a) = { \
                let v = a >> slice(0, N / w * w) >> asVector(w) >> reduce(lift(op, w), e); \
                a >> slice(N / w * w, N % w) >> reduce(op, [v] >> asScalar >> reduceSeqUnroll(op, z)) }",
    origin: "new: `vectoriseReduce` of the elements that fill vectors, and then the others",
    parameters: &[Kind::Width],
    regroups: true,
    apply: vectorise_reduce_with_rest,
};

fn vectorise_reduce_with_rest(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let width = width(arguments)?;
    let (reduction, Operator { identity, .. }) = reorderable(redex, Axioms::of_place(build))?;
    let length = build.array_type(reduction.array)?.length.clone();
    let lanes = Nat::constant(i128::from(width));
    let whole = build.simplified(&(length.divide(&lanes) * &lanes));
    let rest = build.simplified(&length.modulo(&lanes));
    let filling = Layout::Slice { start: Nat::zero(), length: whole.clone() };
    let filling = build.layout(filling, reduction.array.clone())?;
    let vectors = as_vectors(&filling, width, build)?;
    let reduced = reduce_lanes(&reduction, identity.as_ref(), vectors, width, build)?;
    // No element is in both parts. What is computed for all elements together is computed for each part.
    let others = build.copy(reduction.array);
    let others = build.layout(Layout::Slice { start: whole, length: rest }, others)?;
    let operator = operator_copy(reduction.function, build)?;
    Ok(build.reduce(reduction.kind, operator, reduced, others)?)
}

/// A sum of products adds up dot products of vectors, which are instructions of some devices.
pub const DOT_PRODUCTS: Rule = Rule {
    name: "dotProducts",
    statement: "zip(a, b) >> map(|(x, y)| x * y) >> reduce(add, z) = \
                zip(a >> asVector(w), b >> asVector(w)) >> map(dot) >> reduce(add, z)",
    origin: "CASES 2016, listing 4",
    parameters: &[Kind::Width],
    regroups: true,
    apply: dot_products,
};

fn dot_products(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let width = width(arguments)?;
    let (reduction, _) = reorderable(redex, Axioms::of_place(build))?;
    let [(accumulator, _), (element, _)] = reduction.function.parameters.as_slice() else {
        return Err(redex.is_not("a reduction"));
    };
    let is_sum = is_of(&reduction.function.body, BinaryOperator::Add, |left, right| {
        is_variable(left, accumulator) && is_variable(right, element)
    });
    if !is_sum {
        return Err(Mismatch::condition("the operator is a sum", redex.expr));
    }
    let map = MapOf::read(reduction.array, "a sum of a `map`", 1)?;
    match &map.input.kind {
        ExprKind::Zip(parts) if parts.len() == 2 => {}
        _ => return Err(Mismatch::form("a sum of a `map` of a `zip` of two arrays", map.input, 2)),
    }
    let is_component = |expr: &Expr, wanted: usize| match &expr.kind {
        ExprKind::Component(tuple, position) => *position == wanted && is_variable(tuple, map.parameter),
        _ => false,
    };
    let is_product = is_of(map.body(), BinaryOperator::Multiply, |left, right| {
        is_component(left, 0) && is_component(right, 1)
    });
    if !is_product {
        return Err(Mismatch::condition("the elements are products of two arrays", map.body()));
    }
    let vectors = as_vectors(map.input, width, build)?;
    let dots = build.map_over(vectors, "vectors", |build, pair| {
        let (left, right) = (build.component(&pair, 0)?, build.component(&pair, 1)?);
        build.builtin(Builtin::Dot, vec![left, right])
    })?;
    let (operator, initial) = (reduction.function.clone(), reduction.initial.clone());
    Ok(build.reduce(reduction.kind, operator, initial, dots)?)
}

/// Whether an expression applies a commutative operator to these operands, in either order.
fn is_of(expr: &Expr, operator: BinaryOperator, are: impl Fn(&Expr, &Expr) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Binary(applied, left, right) => {
            *applied == operator && (are(left, right) || are(right, left))
        }
        _ => false,
    }
}

/// A reduction of vectors to one, and of its lanes to the result.
fn reduce_lanes(
    reduction: &Reduction<'_>,
    start: Option<&Identity>,
    vectors: Arc<Expr>,
    width: u8,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let copy = operator_copy(reduction.function, build)?;
    let of_lanes = lift(&copy, width, build)?;
    let (start, vectors) = match start {
        Some(start) => (identity(start, &of_lanes.body.ty, build)?, vectors),
        None => {
            let others = &build.array_type(&vectors)?.length - Nat::one();
            let first = build.copy(&vectors);
            let first = build.at(Nat::zero(), first)?;
            (first, build.layout(Layout::Slice { start: Nat::one(), length: others }, vectors)?)
        }
    };
    let reduced = build.reduce(reduction.kind, of_lanes, start, vectors)?;
    let one = build.array_literal(vec![reduced])?;
    let lanes = as_scalars(one, build)?;
    let (operator, initial) = (reduction.function.clone(), reduction.initial.clone());
    Ok(build.reduce(ReduceKind::Unrolled, operator, initial, lanes)?)
}
