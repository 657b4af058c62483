//! Mistakes in literals.

use lift_core::diagnostic::Diagnostic;
use lift_core::ir::scalar::ScalarType;
use lift_core::ir::source::Source;

/// A literal that means no number and no truth value.
#[derive(Debug)]
pub(crate) enum LiteralMistake {
    /// A text, a character or the like.
    OtherLiteral,
    /// An integer above all types.
    TooLarge,
    /// `usize` or `isize`.
    HostSuffix {
        /// The suffix.
        suffix: String,
    },
    /// A suffix that is no type of a number.
    UnknownSuffix {
        /// The suffix.
        suffix: String,
    },
    /// A fraction of a type of integers.
    Fraction {
        /// The number.
        digits: String,
        /// The type.
        scalar: ScalarType,
    },
}

impl LiteralMistake {
    /// The message for the user.
    pub(super) fn diagnostic(&self, source: Source) -> Diagnostic {
        let says = |message: &str| Diagnostic::new(source, message);
        match self {
            LiteralMistake::OtherLiteral => {
                says("expected a number, `true` or `false`: there is no other literal")
            }
            LiteralMistake::TooLarge => says("this number is too large").with_help(
                "integers are at most 18446744073709551615, and sizes below 2^63; a float is written with a \
                 point: `1.0e30`",
            ),
            LiteralMistake::HostSuffix { suffix } => says(&format!("`{suffix}` is no type of a device"))
                .with_help("leave the suffix out: a literal takes its type from its use"),
            LiteralMistake::UnknownSuffix { suffix } => says(&format!("`{suffix}` is no type of a number")),
            LiteralMistake::Fraction { digits, scalar } => {
                says(&format!("`{digits}` is no `{scalar}`: it has a fraction"))
            }
        }
    }
}
