//! Stages of the applications of an `iterate`. What is the same in all applications is computed before the
//! first one.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Stages;
use super::tree::To;
use crate::ir::nat::Var;
use crate::ir::typed::{Expr, ExprKind, Lambda};
use crate::middle::lower::context::{Context, mentions_one_of};
use crate::middle::lower::reads::collect_reads;
use crate::middle::rewrite::Failure;

/// The positions of the parts of an `iterate`.
const INPUT: usize = 0;
const BODY: usize = 1;

impl Stages<'_, '_> {
    /// An `iterate` whose function the whole device applies. An application may take several kernels, so it
    /// may have stages of its own.
    pub(super) fn applied_by_device(&mut self, iterate: &Arc<Expr>) -> Result<(), Failure> {
        let context = Context::of_produced();
        let ExprKind::Iterate(_, function, input) = &iterate.kind else {
            return self.lift(iterate, &context);
        };
        let of_input = context.of_part(input, iterate, &self.counting);
        self.part(&[INPUT], input, &of_input, &context)?;
        self.tree.begin_whole(&[BODY]);
        self.whole(&function.body)?;
        self.tree.end();
        self.without_invariants(function)
    }

    /// Moves stages of the body of an `iterate` that mention nothing bound by its function before the first
    /// application (loop-invariant code motion).
    fn without_invariants(&mut self, function: &Lambda) -> Result<(), Failure> {
        // The user states launches in the order of the kernels, which must not change.
        if self.taken_at_its_word {
            return Ok(());
        }
        let body = self.tree.inside(&[BODY]);
        let ExprKind::Let { bindings, .. } = &body.kind else { return Ok(()) };
        let mut varying: BTreeSet<u32> =
            function.parameters.iter().map(|(variable, _)| variable.id).collect();
        let positions: Vec<Var> = function.index.iter().cloned().collect();
        let mut kept = 0;
        for binding in bindings {
            let mut read = BTreeSet::new();
            collect_reads(&binding.value, &mut read);
            let varies = !varying.is_disjoint(&read) || mentions_one_of(&binding.value, &positions);
            let may_float = || self.tree.may_float(&[BODY, kept], To::Stages, &self.counting.ranges);
            if varies || !self.is_complete_before_use(&binding.value) || !may_float() {
                varying.insert(binding.variable.id);
                kept += 1;
            } else {
                self.tree.float(&[BODY, kept], To::Stages)?;
            }
        }
        Ok(())
    }
}
