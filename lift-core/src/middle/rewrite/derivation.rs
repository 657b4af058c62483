//! Derivations: the steps from one program to another, as data.

use std::fmt;

use super::rule::{Argument, Rule};
use crate::ir::nat::Substitution;
use crate::ir::typed::Path;

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

impl Derivation {
    /// The same steps with sizes replaced in their arguments.
    #[must_use]
    pub(crate) fn with_sizes(mut self, sizes: &Substitution) -> Derivation {
        for argument in self.steps.iter_mut().flat_map(|step| &mut step.arguments) {
            if let Argument::Size(size) = argument {
                *size = size.substitute(sizes);
            }
        }
        self
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
