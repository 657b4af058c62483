//! Mistakes of the whole input.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::source::Source;

/// Input in which no program is recognised.
#[derive(Debug)]
pub(crate) enum InputMistake {
    /// There is none.
    Empty,
    /// It is text that Rust does not read as tokens.
    NoTokens,
}

impl InputMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        match self {
            InputMistake::Empty => Diagnostic::new(source, "`lift!` needs an expression or functions")
                .with_help("an example is `lift!(map(|x| 2 * x, a))`"),
            InputMistake::NoTokens => Diagnostic::new(source, "these are not Rust tokens"),
        }
    }
}
