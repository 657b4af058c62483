//! Why a strategy does not apply, for messages and explanations.
//!
//! Of several failures the one that came furthest is told: a rule behind others that applied says more than
//! the first one that does not, and a rule that found its form and missed a law more than one that wanted a
//! reduction and found a map.

use std::fmt;
use std::sync::Arc;

use super::mismatch::Mismatch;
use super::rule::Rule;
use crate::ir::source::Source;
use crate::ir::typed::{Expr, Path};

/// Why a strategy fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The rule that does not apply; `None` where the strategy found no place to apply one to.
    pub rule: Option<&'static Rule>,
    /// Why.
    pub mismatch: Mismatch,
    /// Where, in the program as it was rewritten until then.
    pub path: Path,
    /// The source of the expression there.
    pub source: Source,
    /// The expression there.
    pub expr: Option<Arc<Expr>>,
    /// The named strategies around the rule, outermost first.
    pub within: Vec<&'static str>,
    /// The number of steps that were taken before.
    pub steps: u32,
}

impl Failure {
    /// The failure that came further; the first of two that came equally far.
    #[must_use]
    pub(super) fn or_further(self, other: Failure) -> Failure {
        if other.progress() > self.progress() { other } else { self }
    }

    fn progress(&self) -> (u32, usize) {
        (self.steps, self.mismatch.progress())
    }
}

/// One sentence: rule, strategies around it, reason.
impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rule) = self.rule {
            write!(formatter, "`{}`", rule.name)?;
            if let Some(strategy) = self.within.last() {
                write!(formatter, " of `{strategy}`")?;
            }
            formatter.write_str(" does not apply: ")?;
        }
        write!(formatter, "{}", self.mismatch)
    }
}
