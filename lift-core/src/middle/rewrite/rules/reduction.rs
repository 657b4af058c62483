//! Partial reductions: parts of an array are reduced on their own, and then their results.
//!
//! The operator has to be associative. The results of the parts are combined with the initial value. A part
//! starts from an identity element of the operator. Where none is known, a part starts from the initial value
//! if that may be combined with itself, as with `max`, and else from its own first element: then no part may
//! be empty, which `at` asks for. The order of the elements stays where parts are chunks; else the operator
//! has to be commutative, too.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::parts::{self, Reduction, identity, operator_copy, regroupable, reorderable, size};
use super::split::{Chunks, even, uneven};
use crate::ir::nat::Nat;
use crate::ir::typed::build::{Build, Built};
use crate::ir::typed::{Expr, ExprKind, Layout, MapKind, Position, ReduceKind};
use crate::ir::types::Type;
use crate::middle::laws::{Axioms, Operator, Start};

/// Chunks are reduced on their own.
pub const PARTIAL_REDUCE: Rule = Rule {
    name: "partialReduce",
    statement: "reduce(op, z) = split(n) >> map(reduce(op, e)) >> reduce(op, z), where op(e, x) = x, or e = z \
                where op(x, x) = x",
    origin: "ICFP 2015, section 4.1",
    parameters: &[Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| partial_reduce(redex, arguments, even, build),
};

/// Chunks are reduced on their own, for any length.
pub const PARTIAL_REDUCE_UNEVEN: Rule = Rule {
    name: "partialReduceUneven",
    statement: "reduce(op, z) = chunks(n) >> map(reduce(op, e)) >> reduce(op, z)",
    origin: "new: the partial reduction of ICFP 2015, whose chunks may have any lengths",
    parameters: &[Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| partial_reduce(redex, arguments, uneven, build),
};

/// A number of parts take the elements in turn, and are reduced on their own: neighbouring parts read
/// neighbouring elements.
pub const CYCLIC_REDUCE: Rule = Rule {
    name: "cyclicReduce",
    statement: "reduce(op, z) = deinterleave(p) >> map(reduce(op, e)) >> reduce(op, z)",
    origin: "ICFP 2015, section 4.1 (partial reduction, reordered by a stride), for any length",
    parameters: &[Kind::Size],
    regroups: true,
    apply: cyclic_reduce,
};

/// Both halves are combined element by element, until one element is left.
pub const TREE_REDUCE: Rule = Rule {
    name: "treeReduce",
    statement: "reduce(op, z) = iterate(k, |t| t >> split(len(t) / 2) >> transpose >> map(reduce(op, e))) >> \
                reduce(op, z), for 2^k elements; without an identity e the halves are zipped and combined",
    origin: "ICFP 2015, section 4.1 (iterated partial reduction); CGO 2017, figure 7",
    parameters: &[],
    regroups: true,
    apply: tree_reduce,
};

/// How many of the work-items of a group reduce what all of them leave, before one of them, or each, reduces
/// the rest: about the square root of their number, so that no work-item takes many steps. `None` where one
/// may take all.
pub(in crate::middle::rewrite) fn combining(items: i128) -> Option<i128> {
    (items > FEW_RESULTS).then(|| 1 << (items.ilog2() / 2))
}

/// A work-item reduces this many results alone in less time than a barrier takes.
const FEW_RESULTS: i128 = 16;

/// The reduction of each part on its own. Parts may start from `initial`.
fn reduce_parts(
    operator: &Operator<'_>,
    initial: Option<&Arc<Expr>>,
    parts: Arc<Expr>,
    build: &mut Build<'_>,
) -> Built {
    let start = initial.and_then(|initial| Some((start_of_parts(operator, initial)?, initial)));
    build.map_at(MapKind::Unspecified, parts, "part", |build, _, part| {
        let function = operator_copy(operator.function, build)?;
        let (start, others) = match (&operator.identity, start) {
            (Some(start), _) => (identity(start, operator.element(), build)?, part),
            (None, Some((start, initial))) => (parts::start(start, initial, build)?, part),
            (None, None) => {
                let others = &build.array_type(&part)?.length - Nat::one();
                let first = build.at(Nat::zero(), part.clone())?;
                (first, build.layout(Layout::Slice { start: Nat::one(), length: others }, part)?)
            }
        };
        build.reduce(ReduceKind::Unspecified, function, start, others)
    })
}

/// What the parts of a reduction may start from, if each may start from the same: an identity of the
/// operator, or the initial value, where it may be combined with itself and costs no time in several places.
pub(in crate::middle) fn start_of_parts<'o>(operator: &'o Operator<'_>, initial: &Expr) -> Option<&'o Start> {
    match &operator.start {
        Some(start @ Start::Identity(_)) => Some(start),
        Some(start) if operator.laws.commutative && is_at_hand(initial) => Some(start),
        Some(_) | None => None,
    }
}

/// Whether it costs no time to have a value in several places.
fn is_at_hand(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_) | ExprKind::Size(_) => true,
        ExprKind::Variable(_) => !matches!(value.ty, Type::Array(_)),
        ExprKind::Unary(_, part) | ExprKind::Component(part, _) => is_at_hand(part),
        ExprKind::Tuple(parts) => parts.iter().all(|part| is_at_hand(part)),
        ExprKind::At(Position::Size(_), array) => matches!(array.kind, ExprKind::Variable(_)),
        _ => false,
    }
}

/// The reduction of the results of parts.
fn reduce_results(
    reduction: &Reduction<'_>,
    results: Arc<Expr>,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    Ok(build.reduce(reduction.kind, reduction.function.clone(), reduction.initial.clone(), results)?)
}

fn partial_reduce(
    redex: &Redex<'_>,
    arguments: &[Argument],
    chunks: Chunks,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let (reduction, operator) = regroupable(redex, Axioms::of_place(build))?;
    let parts = chunks(size(arguments)?, reduction.array.clone(), build)?;
    let results = reduce_parts(&operator, Some(reduction.initial), parts, build)?;
    reduce_results(&reduction, results, build)
}

fn cyclic_reduce(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let (reduction, operator) = reorderable(redex, Axioms::of_place(build))?;
    let rows = size(arguments)?.clone();
    let parts = build.layout(Layout::Deinterleave { rows }, reduction.array.clone())?;
    let results = reduce_parts(&operator, Some(reduction.initial), parts, build)?;
    reduce_results(&reduction, results, build)
}

fn tree_reduce(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let (reduction, operator) = reorderable(redex, Axioms::of_place(build))?;
    let array = build.array_type(reduction.array)?;
    let constant = array.length.as_constant().and_then(|length| u128::try_from(length).ok());
    let Some(length) = constant.filter(|length| length.is_power_of_two()) else {
        return Err(Mismatch::condition(
            "the number of elements is a constant power of two",
            reduction.array,
        ));
    };
    let levels = Nat::constant(i128::from(length.ilog2()));
    // As the language says it: it has no name for the number of applications, but `len(t) / 2`.
    let length_after = |applied: &Nat| array.length.divide(&Nat::constant(2).pow(applied));
    let function = build.lambda_at(
        "k",
        &levels,
        |applied| [("t", Type::array(operator.element().clone(), length_after(applied)))],
        |build, applied, [elements]| {
            // There is no half of one element, and no level that combines halves.
            let half = length_after(applied).divide(&Nat::constant(2));
            let half = if length == 1 { length_after(applied) } else { build.simplified(&half) };
            combine_halves(&operator, elements, half, build)
        },
    )?;
    let last = build.iterate(levels, function, reduction.array.clone())?;
    reduce_results(&reduction, last, build)
}

/// The elements of the first half of an array, each combined with the one in its place in the second half.
fn combine_halves(operator: &Operator<'_>, elements: Arc<Expr>, half: Nat, build: &mut Build<'_>) -> Built {
    if operator.identity.is_some() {
        let halves = build.split(&half, elements)?;
        let pairs = build.transpose(halves)?;
        return reduce_parts(operator, None, pairs, build);
    }
    // A pair starts from its first element. That it has a second one would have to be proved.
    let mut halves = Vec::new();
    for start in [Nat::zero(), half.clone()] {
        let layout = Layout::Slice { start, length: half.clone() };
        halves.push(build.layout(layout, elements.clone())?);
    }
    let pairs = build.zip(halves)?;
    build.map_over(pairs, "pair", |build, pair| {
        let values = vec![build.component(&pair, 0)?, build.component(&pair, 1)?];
        build.apply_copy(operator.function, None, values)
    })
}
