//! Why a rule or a strategy does not apply: data first, words when somebody asks.
//!
//! Most rules fail at most places, so nothing is formatted on the way. Of several failures the one that came
//! furthest is told: a rule that found its form and missed a law says more than one that wanted a reduction and
//! found a map.

use std::fmt;

use super::rule::Rule;
use crate::ir::source::Source;
use crate::ir::typed::result;
use crate::ir::typed::{Expr, Path};

/// Why a rule does not apply to an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Mismatch {
    /// A part of the expression does not have the form that the rule is about.
    Form {
        /// The form, in words: "a `map`".
        wanted: &'static str,
        /// The form that stands there, by its name.
        found: &'static str,
        /// How far inside the expression: 0 for the expression itself.
        depth: usize,
        /// Where.
        source: Source,
    },
    /// A side condition does not hold.
    Condition {
        /// The condition, in words: "the operator is associative".
        wanted: &'static str,
        /// Where.
        source: Source,
    },
    /// The right side would have no type.
    Typing(result::Mismatch),
    /// An argument of another kind, or another number of them.
    Arguments,
    /// So many steps were made that there is probably no end.
    Endless,
}

impl Mismatch {
    /// An expression does not have the form that is wanted so deep inside the one that a rule is applied to.
    pub fn form(wanted: &'static str, found: &Expr, depth: usize) -> Mismatch {
        Mismatch::Form { wanted, found: found.form(), depth, source: found.source }
    }

    /// A side condition does not hold.
    pub fn condition(wanted: &'static str, at: &Expr) -> Mismatch {
        Mismatch::Condition { wanted, source: at.source }
    }

    /// How far the rule came: it first looks at the form, from outside to inside, then at its conditions, and builds
    /// its right side last.
    fn progress(&self) -> usize {
        const BEYOND_FORMS: usize = 1000;
        match self {
            Mismatch::Form { depth, .. } => (*depth).min(BEYOND_FORMS),
            Mismatch::Condition { .. } => BEYOND_FORMS + 1,
            Mismatch::Typing(_) => BEYOND_FORMS + 2,
            Mismatch::Arguments | Mismatch::Endless => BEYOND_FORMS + 3,
        }
    }
}

impl From<result::Mismatch> for Mismatch {
    fn from(mismatch: result::Mismatch) -> Mismatch {
        Mismatch::Typing(mismatch)
    }
}

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
    /// The named strategies around the rule, outermost first.
    pub within: Vec<&'static str>,
}

impl Failure {
    /// The failure that came further; the first of two that came equally far.
    #[must_use]
    pub(super) fn or_further(self, other: Failure) -> Failure {
        if other.mismatch.progress() > self.mismatch.progress() { other } else { self }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Form { wanted, found, .. } => {
                write!(formatter, "it takes {wanted}, but this is {found}")
            }
            Mismatch::Condition { wanted, .. } => write!(formatter, "{wanted}"),
            Mismatch::Typing(mismatch) => write!(formatter, "{mismatch}"),
            Mismatch::Arguments => formatter.write_str("it takes other arguments"),
            Mismatch::Endless => formatter.write_str("it does not come to an end"),
        }
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
