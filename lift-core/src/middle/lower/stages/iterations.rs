//! Stages of the applications of an `iterate`. What is the same in all applications is computed before the
//! first one.

use std::collections::BTreeSet;
use std::rc::Rc;

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
/// The position of the next value in what ends an `iterateWhile`.
const NEXT: usize = 1;

impl Stages<'_, '_> {
    /// An `iterate` whose function the whole device applies. An application may take several kernels, so it
    /// may have stages of its own.
    pub(super) fn applied_by_device(&mut self, iterate: &Rc<Expr>) -> Result<(), Failure> {
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
        let mut varying: BTreeSet<u32> =
            function.parameters.iter().map(|(variable, _)| variable.id).collect();
        let positions: Vec<Var> = function.index.iter().cloned().collect();
        self.without_invariants_in(&[BODY], &mut varying, &positions)?;
        match self.next_value() {
            Some(place) => self.without_invariants_in(&place, &mut varying, &positions),
            None => Ok(()),
        }
    }

    /// Where the next value of an `iterateWhile` is, which has stages of its own.
    fn next_value(&self) -> Option<Vec<usize>> {
        let body = self.tree.inside(&[BODY]);
        match &body.kind {
            ExprKind::EndUnless(..) => Some(vec![BODY, NEXT]),
            ExprKind::Let { bindings, body } => {
                let ends = matches!(body.kind, ExprKind::EndUnless(..));
                ends.then(|| vec![BODY, bindings.len(), NEXT])
            }
            _ => None,
        }
    }

    /// The same for the stages at a place. `varying`, in and out: the variables that are another value in
    /// each application.
    fn without_invariants_in(
        &mut self,
        place: &[usize],
        varying: &mut BTreeSet<u32>,
        positions: &[Var],
    ) -> Result<(), Failure> {
        let stages = self.tree.inside(place);
        let ExprKind::Let { bindings, .. } = &stages.kind else { return Ok(()) };
        let mut kept = 0;
        for binding in bindings {
            let mut read = BTreeSet::new();
            collect_reads(&binding.value, &mut read);
            let varies = !varying.is_disjoint(&read) || mentions_one_of(&binding.value, positions);
            let first = [place, &[kept]].concat();
            let may_float = || self.tree.may_float(&first, To::Stages, &self.counting.ranges);
            if varies || !self.is_complete_before_use(&binding.value) || !may_float() {
                varying.insert(binding.variable.id);
                kept += 1;
            } else {
                self.tree.float(&first, To::Stages)?;
            }
        }
        Ok(())
    }
}
