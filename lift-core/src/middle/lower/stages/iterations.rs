//! Stages of the applications of an `iterate`. What is the same in all applications is computed before the
//! first one.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Lifted, Stages};
use crate::ir::nat::Var;
use crate::ir::typed::{Expr, ExprKind, Lambda};
use crate::middle::lower::context::{Context, mentions_one_of};
use crate::middle::lower::reads::collect_reads;

impl Stages<'_> {
    /// An `iterate` whose function the whole device applies. An application may take several kernels, so it
    /// may have stages of its own.
    pub(super) fn applied_by_device(&mut self, iterate: &Rc<Expr>, lifted: &mut Lifted) -> Rc<Expr> {
        let context = Context::of_produced();
        let ExprKind::Iterate(count, function, input) = &iterate.kind else {
            return self.lift(iterate, &context, lifted);
        };
        let input = self.lift_part(input, iterate, &context, lifted);
        let body = self.whole(&function.body);
        let body = self.without_invariants(body, function, lifted);
        let function = Lambda { body, ..function.clone() };
        iterate.with_kind(ExprKind::Iterate(count.clone(), function, input))
    }

    /// Moves stages of the body of an `iterate` that mention nothing bound by its function before the first
    /// application (loop-invariant code motion).
    pub(super) fn without_invariants(
        &mut self,
        body: Rc<Expr>,
        function: &Lambda,
        lifted: &mut Lifted,
    ) -> Rc<Expr> {
        // The user states launches in the order of the kernels, which must not change.
        if self.taken_at_its_word {
            return body;
        }
        let ExprKind::Let { bindings, body: inner } = &body.kind else { return body };
        let mut varying: BTreeSet<u32> =
            function.parameters.iter().map(|(variable, _)| variable.id).collect();
        let positions: Vec<Var> = function.index.iter().cloned().collect();
        let mut kept = Vec::new();
        for binding in bindings {
            let mut read = BTreeSet::new();
            collect_reads(&binding.value, &mut read);
            let varies = !varying.is_disjoint(&read) || mentions_one_of(&binding.value, &positions);
            if varies || !self.is_complete_before_use(&binding.value) {
                varying.insert(binding.variable.id);
                kept.push(binding.clone());
            } else {
                lifted.push(binding.clone());
            }
        }
        self.build.bind_all(kept, inner.clone())
    }
}
