//! Why a rule does not apply: data first, words when somebody asks.
//!
//! Most rules fail at most places, so nothing is formatted on the way.

use std::fmt;

use crate::ir::source::Source;
use crate::ir::typed::Expr;
use crate::ir::typed::result;

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
    /// It would change the order in which floats are combined, and the program is strict.
    Strict {
        /// Where.
        source: Source,
    },
    /// The right side would have no type.
    Typing(Box<result::Mismatch>),
    /// A strategy applies at fewer places than the number of the one that is wanted.
    Places {
        /// At how many it applies.
        found: u32,
    },
    /// An argument of another kind, or another number of them.
    Arguments,
    /// There were too many steps: probably there is no end.
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

    /// How far the rule came: it first looks at the form, from outside to inside, then at its conditions, and
    /// builds its right side last.
    pub(super) fn progress(&self) -> usize {
        const BEYOND_FORMS: usize = 1000;
        match self {
            Mismatch::Form { depth, .. } => (*depth).min(BEYOND_FORMS),
            Mismatch::Condition { .. } => BEYOND_FORMS + 1,
            Mismatch::Typing(_) | Mismatch::Strict { .. } => BEYOND_FORMS + 2,
            Mismatch::Places { .. } | Mismatch::Arguments | Mismatch::Endless => BEYOND_FORMS + 3,
        }
    }
}

impl From<result::Mismatch> for Mismatch {
    fn from(mismatch: result::Mismatch) -> Mismatch {
        Mismatch::Typing(Box::new(mismatch))
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Form { wanted, found, .. } => {
                write!(formatter, "it takes {wanted}, but this is {found}")
            }
            Mismatch::Condition { wanted, .. } => write!(formatter, "it has to hold that {wanted}"),
            Mismatch::Strict { .. } => formatter.write_str(
                "it combines floats in another order or grouping, which may round to other bits, and the \
                 kernel is `#[strict]`",
            ),
            Mismatch::Typing(mismatch) => write!(formatter, "{mismatch}"),
            Mismatch::Places { found: 1 } => {
                formatter.write_str("it applies at one place, which has the number 0")
            }
            Mismatch::Places { found } => {
                write!(
                    formatter,
                    "it applies at {found} places, which have the numbers from 0 to {}",
                    found - 1
                )
            }
            Mismatch::Arguments => formatter.write_str("it takes other arguments"),
            Mismatch::Endless => formatter.write_str("it does not come to an end, or takes far too long"),
        }
    }
}
