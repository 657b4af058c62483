//! Decides which reductions keep their order because the program is strict.
//!
//! Whoever finds a `reduce` takes its order for open: the host gives it several accumulators, and groups share
//! it. So those whose order shows in the bits of their results become `reduceSeq` before anything else is
//! decided. The others are the reductions of integers, and those of floats by operators that do not round.
//! [`laws`](crate::middle::laws) knows which these are.

use std::sync::Arc;

use crate::ir::typed::{Expr, ExprKind, Path, Program, ReduceKind, Rounding};
use crate::middle::laws::{Accumulation, Axioms};
use crate::middle::rewrite::Strategy;
use crate::middle::rewrite::rules::REDUCE_SEQ;

/// The reductions of a strict program whose order is that of the program; `None` where there are none.
pub(super) fn kept_order(program: &Program) -> Option<Strategy> {
    if program.rounding == Rounding::Free {
        return None;
    }
    let mut kept = Kept { program, steps: Vec::new() };
    kept.collect(&program.body, &Path::root());
    (!kept.steps.is_empty()).then(|| Strategy::Sequence(kept.steps).named("keptOrder", Vec::new()))
}

struct Kept<'p> {
    program: &'p Program,
    steps: Vec<Strategy>,
}

impl Kept<'_> {
    fn collect(&mut self, expr: &Arc<Expr>, here: &Path) {
        for (position, child) in expr.children().enumerate() {
            self.collect(child, &here.child(position));
        }
        if self.order_shows(expr) {
            self.steps.push(Strategy::At(here.clone(), Box::new(Strategy::rule(&REDUCE_SEQ))));
        }
    }

    /// Whether a reduction may give other bits if it takes its elements in another order or grouping.
    fn order_shows(&self, reduction: &Expr) -> bool {
        let ExprKind::Reduce(ReduceKind::Unspecified, function, ..) = &reduction.kind else { return false };
        // The ids are for expressions that are only looked at.
        let mut next_id = self.program.next_id;
        let mut fresh = || {
            next_id += 1;
            next_id
        };
        self.program.rounding.keeps_order_of(&reduction.ty)
            && Accumulation::derived(function, Axioms::of(self.program), &mut fresh).is_none()
    }
}
