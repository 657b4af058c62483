//! Reductions of vectors: each lane reduces every w-th element, and then the lanes are reduced.
//!
//! The operator has to be associative and commutative, since it meets the elements in another order, and
//! every lane starts from its identity element; the initial value is used once. A reduction of something made
//! of its elements is separated into that and the operator first.

use std::rc::Rc;

use super::super::lift::lift;
use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::parts::{Reduction, identity, operator_copy, reorderable};
use super::vectors::{as_scalars, as_vectors, width};
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, Layout, ReduceKind};
use crate::middle::laws::Identity;

/// A reduction of vectors, for lengths that vectors fill.
pub const VECTORISE_REDUCE: Rule = Rule {
    name: "vectoriseReduce",
    statement: "reduce(op, z, a) = { let v = a >> asVector(w) >> reduce(lift(op, w), e); \
                [v] >> asScalar >> reduceSeqUnroll(op, z) }, where e is an identity of op",
    origin: "CASES 2016, section 4",
    parameters: &[Kind::Width],
    regroups: true,
    apply: vectorise_reduce,
};

fn vectorise_reduce(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    let width = width(arguments)?;
    let (reduction, start) = of_any_order(redex, build)?;
    let vectors = as_vectors(reduction.array, width, build)?;
    reduce_lanes(&reduction, &start, vectors, width, build)
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
) -> Result<Rc<Expr>, Mismatch> {
    let width = width(arguments)?;
    let (reduction, start) = of_any_order(redex, build)?;
    let length = build.array_type(reduction.array)?.length.clone();
    let lanes = Nat::constant(i128::from(width));
    let whole = build.simplified(&(length.divide(&lanes) * &lanes));
    let rest = build.simplified(&length.modulo(&lanes));
    let filling = Layout::Slice { start: Nat::zero(), length: whole.clone() };
    let filling = build.layout(filling, reduction.array.clone())?;
    let vectors = as_vectors(&filling, width, build)?;
    let reduced = reduce_lanes(&reduction, &start, vectors, width, build)?;
    // No element is in both parts, so that none is computed twice.
    let others = build.copy(reduction.array);
    let others = build.layout(Layout::Slice { start: whole, length: rest }, others)?;
    let operator = operator_copy(reduction.function, build)?;
    Ok(build.reduce(reduction.kind, operator, reduced, others)?)
}

/// A reduction of vectors to one, and of its lanes to the result.
fn reduce_lanes(
    reduction: &Reduction<'_>,
    start: &Identity,
    vectors: Rc<Expr>,
    width: u8,
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    let copy = operator_copy(reduction.function, build)?;
    let of_lanes = lift(&copy, width, build)?;
    let start = identity(start, &of_lanes.body.ty, build)?;
    let reduced = build.reduce(reduction.kind, of_lanes, start, vectors)?;
    let one = build.array_literal(vec![reduced])?;
    let lanes = as_scalars(one, build)?;
    let (operator, initial) = (reduction.function.clone(), reduction.initial.clone());
    Ok(build.reduce(ReduceKind::Unrolled, operator, initial, lanes)?)
}

/// A reduction whose elements may be taken in any order, and the identity element of its operator.
fn of_any_order<'e>(redex: &Redex<'e>, build: &Build<'_>) -> Result<(Reduction<'e>, Identity), Mismatch> {
    let (reduction, operator) = reorderable(redex, build.functions())?;
    let identity = operator.identity;
    let wanted = "the operator has a known identity element";
    Ok((reduction, identity.ok_or_else(|| Mismatch::condition(wanted, redex.expr))?))
}
