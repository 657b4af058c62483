//! Mistakes in patterns.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::source::Source;

use super::SMALL_TUPLE;

/// A pattern that there is not.
#[derive(Debug)]
pub(crate) enum PatternMistake {
    /// `mut x`, `ref x` or `&x`.
    Binding,
    /// `()` or `(x,)`.
    SmallTuple,
    /// `[]`
    EmptyArray,
    /// `..`
    Rest,
}

impl PatternMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        match self {
            PatternMistake::Binding => {
                Diagnostic::new(source, "a pattern is a name, `_`, or a tuple or an array of patterns")
                    .with_help("leave this out: nothing is assigned to, and nothing is moved")
            }
            PatternMistake::SmallTuple => Diagnostic::new(source, SMALL_TUPLE),
            PatternMistake::EmptyArray => {
                Diagnostic::new(source, "a pattern of an array has at least one element")
                    .with_help("`_` takes an array of any length")
            }
            PatternMistake::Rest => Diagnostic::new(source, "a pattern has all elements, and no `..`")
                .with_help(
                    "write `_` for each element that is not used; `head(xs)`, `last(xs)` and \
                     `slice(begin, end, xs)` take parts of an array of any length",
                ),
        }
    }
}
