//! Derivations: the steps from one program to another, which can be printed and replayed.

use std::fmt;

use super::failure::Failure;
use super::rewriter::{Rewriter, Rewritten};
use super::rule::{Argument, Rule};
use crate::ir::typed::{Path, Program};

/// One application of a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The rule.
    pub rule: &'static Rule,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Where, in the program as the steps before left it.
    pub path: Path,
}

/// The steps of a derivation, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Derivation {
    /// The steps.
    pub steps: Vec<Step>,
}

impl Derivation {
    /// Derives the program again. `observer` is shown the program after each step.
    ///
    /// # Errors
    /// Says which step does not apply. The steps of a derivation apply to the program that they were recorded for.
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

/// `splitJoin(32) @ 0.1`
impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.rule.name)?;
        for (position, argument) in self.arguments.iter().enumerate() {
            write!(formatter, "{}{argument}", if position == 0 { "(" } else { ", " })?;
        }
        let close = if self.arguments.is_empty() { "" } else { ")" };
        write!(formatter, "{close} @ {}", self.path)
    }
}

/// A step per line.
impl fmt::Display for Derivation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.steps.iter().enumerate() {
            let before = if number == 0 { "" } else { "\n" };
            write!(formatter, "{before}{step}")?;
        }
        Ok(())
    }
}
