//! Replays derivations.

use super::derivation::{Derivation, Step};
use super::failure::Failure;
use super::rewriter::{Rewriter, Rewritten};
use crate::ir::typed::Program;

impl Derivation {
    /// Derives the program again. `observer` is shown the program after each step.
    ///
    /// # Errors Says which step does not apply. The steps of a derivation apply to the program that they were
    /// recorded for.
    pub fn replay(
        &self,
        program: &Program,
        observer: &mut dyn FnMut(&Step, &Rewriter<'_>),
    ) -> Result<Rewritten, Failure> {
        let mut rewriter = Rewriter::new(program);
        for step in &self.steps {
            rewriter.apply(step.rule, &step.arguments, &step.path)?;
            observer(step, &rewriter);
        }
        Ok(rewriter.rewritten())
    }
}
