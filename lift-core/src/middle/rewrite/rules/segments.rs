//! Reductions of segments by several work-items each.
//!
//! A work-item that reduces a segment alone reads what lies far from what its neighbours read. Lanes that
//! take turns read neighbours (the kernel with a warp for each row of Bell and Garland, *Implementing Sparse
//! Matrix-Vector Multiplication on Throughput-Oriented Processors*, SC 2009, section 4.2).

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Kind, Rule};
use super::parts::constants;
use crate::ir::nat::{Nat, Substitution};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::typed::segment::Segment;
use crate::ir::typed::{Expr, ExprKind, Lambda, Program, ReduceKind};
use crate::ir::types::Type;
use crate::middle::laws::{Accumulation, Axioms, Operator, Start};
use crate::middle::stated::{Builder, ceiling};

/// Each of `p` lanes reduces every `p`-th element of a segment, and the results of the lanes are reduced.
pub const SEGMENT_BY_LANES: Rule = Rule {
    name: "segmentByLanes",
    statement: "reduceWhile(|k => acc, _| (k < n, op(acc, x(k))), z, repeat(m, 0)) = generate(p, |l| \
                reduceWhile(|k => acc, _| (k < (min(n, m) + p - 1 - l) / p, op(acc, x(p * k + l))), e, \
                repeat((m + p - 1) / p, 0))) >> reduce(op, z)",
    origin: "Bell, Garland, Implementing Sparse Matrix-Vector Multiplication on Throughput-Oriented Processors, \
             SC 2009, section 4.2",
    parameters: &[Kind::Size],
    regroups: true,
    apply: |redex, arguments, build| {
        let [lanes] = constants(arguments)?;
        let Some(segment) = Segment::of(redex.expr) else {
            let wanted = "a loop whose number of iterations is known before the first one reduces elements";
            return Err(Mismatch::condition(wanted, redex.expr));
        };
        if !is_no_work(segment.initial) {
            let wanted = "the reduction starts from a value that is no work to compute";
            return Err(Mismatch::condition(wanted, redex.expr));
        }
        let axioms = Axioms::of_place(build);
        let by_lanes = build.prover().numbered(|next_id| {
            let mut builder = Builder { next_id: *next_id };
            let by_lanes = by_lanes(&segment, lanes, axioms, &mut builder)?;
            *next_id = builder.next_id;
            Some(by_lanes)
        });
        by_lanes.ok_or_else(|| {
            let wanted = "elements are combined by an operator that is known to be associative and commutative, \
                          and to have an identity or to be idempotent";
            Mismatch::condition(wanted, redex.expr)
        })
    },
};

/// Whether the rule applies to an expression of a program.
pub(crate) fn may_be_divided_into_lanes(expr: &Expr, program: &Program) -> bool {
    let (axioms, mut builder) = (Axioms::of(program), Builder { next_id: program.next_id });
    Segment::of(expr).is_some_and(|segment| {
        is_no_work(segment.initial) && operator(&segment, axioms, &mut builder).is_some()
    })
}

/// How the results of lanes are combined, and what lanes start from.
pub(super) fn operator(
    segment: &Segment<'_>,
    axioms: Axioms<'_>,
    build: &mut Builder,
) -> Option<(Lambda, Start)> {
    let accumulation = Accumulation::derived(&segment.combination, axioms, &mut || build.fresh())?;
    let operator = Operator::derived(&accumulation.operator, axioms)?;
    let start = operator.start.filter(|_| operator.laws.commutative)?;
    Some((accumulation.operator, start))
}

fn by_lanes(
    segment: &Segment<'_>,
    lanes: i128,
    axioms: Axioms<'_>,
    build: &mut Builder,
) -> Option<Arc<Expr>> {
    let (operator, start) = operator(segment, axioms, build)?;
    let (initial, source) = (segment.initial, segment.reduction.source);
    let lane = build.size("lane");
    let most = build.position(segment.most.clone(), source);
    let count = build.builtin(Builtin::Min, [segment.count, &most]);
    let before = build.position(Nat::constant(lanes - 1) - Nat::variable(&lane), source);
    let rounded = build.binary(BinaryOperator::Add, &count, &before);
    let number = build.literal(Literal::Integer(lanes), &count.ty, source);
    let own_count = build.binary(BinaryOperator::Divide, &rounded, &number);
    let own = build.variable("own");
    let read = build.read(&own, &own_count.ty, source);

    let position = build.size("k");
    let place = Nat::constant(lanes) * Nat::variable(&position) + Nat::variable(&lane);
    let mut step = build.copy_of(segment.step);
    let ExprKind::Tuple(parts) = &step.body.kind else { return None };
    let next = parts.get(1)?.substitute(&Substitution::from([(segment.position.clone(), place)]));
    let counter = build.position(Nat::variable(&position), source);
    let goes_on = build.less(&counter, &read);
    step.body = build.tuple(vec![goes_on, next], source);
    step.index = Some(position);

    let start = build.start(&start, initial);
    let zero = build.literal(Literal::Integer(0), &Type::Scalar(ScalarType::I32), source);
    let steps = build.repeat(ceiling(segment.most, lanes), zero);
    let of_lane = build.reduce_by(ReduceKind::While, &step, start, steps);
    let of_lane = build.bind(own, own_count, of_lane);
    let of_lanes = build.generate(lane, Nat::constant(lanes), of_lane);
    let operator = build.copy_of(&operator);
    let total = build.reduce(&operator, initial.clone(), of_lanes);
    Some(build.bind_all(segment.bindings.to_vec(), total))
}

/// Whether a value may be written twice.
fn is_no_work(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Size(_) => true,
        ExprKind::Tuple(parts) => parts.iter().all(|part| is_no_work(part)),
        ExprKind::Component(tuple, _) => is_no_work(tuple),
        _ => false,
    }
}
