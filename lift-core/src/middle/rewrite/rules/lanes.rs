//! Reductions with an accumulator for each column: the rows are taken one after the other, and all columns
//! side by side.
//!
//! `reduce(|accs, x| zip(accs, r(x)) >> map(f), repeat(M, z))` is the reduction of `M` columns at once. Its
//! accumulators know nothing of each other, so that what holds for the reduction of one column holds for all.

use std::rc::Rc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{is_variable, replace_all};
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::parts::{Reduction, bound_outside, names, operator_copy, reduction, size, start};
use super::split::uneven;
use crate::ir::nat::Nat;
use crate::ir::typed::build::{Build, Built, uses};
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, MapKind, ReduceKind, Variable};
use crate::middle::laws::{Accumulation, Axioms, Operator};

/// Parts of the rows are reduced on their own, for all columns at once, and then the results of each column.
pub const PARTIAL_REDUCE_LANES: Rule = Rule {
    name: "partialReduceLanes",
    statement: "reduce(|accs, x| zip(accs, r(x)) >> map(|(acc, y)| op(acc, g(x, y))), repeat(M, z)) = chunks(n) >> \
                map(reduce(the same, repeat(M, e))) >> transpose >> map(reduce(op, z)), where op(e, x) = x, or e = z \
                where op(x, x) = x",
    origin: "ICFP 2015, section 4.1 (partial reduction), for all columns at once: new",
    parameters: &[Kind::Size],
    regroups: true,
    apply: partial_reduce_lanes,
};

fn partial_reduce_lanes(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    let lanes = LaneReduction::read(redex)?;
    let Reduction { kind: ReduceKind::Unspecified, function, array, .. } = lanes.reduction else {
        return Err(redex.is_not("a `reduce`, whose order is open"));
    };
    if function.index.is_some() {
        return Err(Mismatch::condition("the function does not use its position", redex.expr));
    }
    let axioms = Axioms::of_place(build);
    let one = lanes.of_one_column(build)?;
    let separated = Accumulation::derived(&one, axioms, &mut || build.prover().fresh());
    let operator = separated.map(|separated| separated.operator);
    let known = operator.as_ref().and_then(|operator| Operator::derived(operator, axioms));
    let Some(Operator { function: operator, start: Some(first), .. }) = known else {
        let wanted = "an operator that is known to be associative, and from whose identity or initial value \
                      parts can start, combines each accumulator with a value that mentions none";
        return Err(Mismatch::condition(wanted, redex.expr));
    };
    let parts = uneven(size(arguments)?, array.clone(), build)?;
    let results = build.map_at(MapKind::Unspecified, parts, "part", |build, _, part| {
        let step = operator_copy(function, build)?;
        let first = start(&first, lanes.initial, build)?;
        let initial = build.repeat(lanes.count.clone(), first)?;
        Ok::<_, Mismatch>(build.reduce(ReduceKind::Unspecified, step, initial, part)?)
    })?;
    let columns = build.transpose(results)?;
    build.map_at(MapKind::Unspecified, columns, "column", |build, _, column| {
        let initial = build.copy(lanes.initial);
        Ok(build.reduce(ReduceKind::Unspecified, operator.clone(), initial, column)?)
    })
}

/// A reduction with an accumulator for each column, all of which start from one value.
pub(super) struct LaneReduction<'e> {
    pub(super) reduction: Reduction<'e>,
    /// The number of columns.
    pub(super) count: Nat,
    /// What each accumulator starts from.
    pub(super) initial: &'e Rc<Expr>,
    /// What a step binds before it goes on with the accumulators.
    bindings: Vec<&'e [Binding]>,
    /// The function of an accumulator and what stands beside it.
    lane: &'e Lambda,
    /// The arrays that a step zips.
    zipped: &'e [Rc<Expr>],
    /// The position of the accumulators among them.
    own: usize,
}

impl<'e> LaneReduction<'e> {
    /// Reads a reduction that is computed in any way.
    pub(super) fn read(redex: &Redex<'e>) -> Result<LaneReduction<'e>, Mismatch> {
        const WANTED: &str = "a reduction whose step maps its accumulators, zipped with other arrays";
        let reduction = reduction(redex)?;
        let [(accumulators, _), _] = reduction.function.parameters.as_slice() else {
            return Err(Mismatch::form(WANTED, redex.expr, 0));
        };
        let (bindings, body) = bound_outside(&reduction.function.body);
        let ExprKind::Map(MapKind::Unspecified, lane, input) = &body.kind else {
            return Err(Mismatch::form(WANTED, body, 1));
        };
        let ExprKind::Zip(zipped) = &input.kind else { return Err(Mismatch::form(WANTED, input, 2)) };
        let own = zipped.iter().position(|part| is_variable(part, accumulators));
        let Some(own) = own.filter(|_| uses(&reduction.function.body, accumulators) == 1) else {
            return Err(Mismatch::condition("a step uses its accumulators once, side by side", input));
        };
        if lane.index.is_some() {
            return Err(Mismatch::condition("the accumulators do not use their position", body));
        }
        let ExprKind::Repeat(count, initial) = &reduction.initial.kind else {
            return Err(Mismatch::form("a reduction that starts from `repeat`", reduction.initial, 1));
        };
        Ok(LaneReduction { count: count.clone(), initial, reduction, bindings, lane, zipped, own })
    }

    /// The names of the accumulators and the element.
    pub(super) fn names(&self) -> [&'e str; 2] {
        names(self.reduction.function)
    }

    /// A step for other accumulators, where the arrays beside them have become what `beside` makes of them.
    pub(super) fn step(
        &self,
        accumulators: Rc<Expr>,
        element: Rc<Expr>,
        position: &Nat,
        beside: &dyn Fn(Rc<Expr>, &mut Build<'_>) -> Built,
        build: &mut Build<'_>,
    ) -> Result<Rc<Expr>, Mismatch> {
        let mut zipped = self.zipped.to_vec();
        for (place, part) in zipped.iter_mut().enumerate() {
            *part = if place == self.own { accumulators.clone() } else { beside(part.clone(), build)? };
        }
        let zipped = build.zip(zipped)?;
        let mut body = build.map(MapKind::Unspecified, self.lane.clone(), zipped)?;
        for bindings in self.bindings.iter().rev() {
            body = build.bind_all(bindings.to_vec(), body)?;
        }
        let Lambda { parameters, index, .. } = self.reduction.function;
        let parameters = parameters.iter().skip(1).cloned().collect();
        let step = Lambda { parameters, index: index.clone(), body };
        Ok(build.apply(&step, Some(position), vec![element])?)
    }

    /// What a step does with an accumulator and what stands beside it.
    fn of_one_column(&self, build: &mut Build<'_>) -> Result<Lambda, Mismatch> {
        let [(lane, ty)] = self.lane.parameters.as_slice() else {
            return Err(Mismatch::form("a function of one lane", &self.lane.body, 1));
        };
        let accumulator = build.variable("acc");
        let read = build.read(&accumulator, &self.initial.ty);
        let is_own = |expr: &Rc<Expr>| match &expr.kind {
            ExprKind::Component(tuple, position) => *position == self.own && is_variable(tuple, lane),
            _ => false,
        };
        let body = replace_all(&self.lane.body, &is_own, &read);
        if has_whole(&body, lane) {
            return Err(Mismatch::condition("each component of a lane is used for itself", &body));
        }
        let parameters = vec![(accumulator, self.initial.ty.clone()), (lane.clone(), ty.clone())];
        Ok(Lambda { parameters, index: None, body })
    }
}

/// Whether an expression uses a tuple other than by its components.
fn has_whole(expr: &Expr, tuple: &Variable) -> bool {
    match &expr.kind {
        ExprKind::Component(of, _) if is_variable(of, tuple) => false,
        _ => is_variable(expr, tuple) || expr.children().any(|child| has_whole(child, tuple)),
    }
}
