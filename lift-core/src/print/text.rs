//! Pieces of text with their binding strength, in C and in Rust: both bind operators alike.

use crate::ir::scalar::BinaryOperator;

/// Binding strength of what was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// `a ? b : c`
    Choice,
    /// `a || b`
    Or,
    /// `a && b`
    And,
    /// `a == b`
    Equality,
    /// `a < b`
    Comparison,
    /// `a + b`
    Sum,
    /// `a * b`
    Product,
    /// `-a`
    Unary,
    /// `a`
    Atom,
}

/// A printed piece of code with its binding strength.
pub(super) struct Text {
    text: String,
    strength: Strength,
}

impl Text {
    /// A piece of this strength.
    pub(super) fn new(text: impl Into<String>, strength: Strength) -> Text {
        Text { text: text.into(), strength }
    }

    /// The text for a place that requires this strength, with parentheses where it binds less.
    pub(super) fn at(self, strength: Strength) -> String {
        if self.strength >= strength { self.text } else { format!("({})", self.text) }
    }

    /// The text for a place where anything may stand.
    pub(super) fn bare(self) -> String {
        self.text
    }
}

impl From<BinaryOperator> for Strength {
    fn from(operator: BinaryOperator) -> Strength {
        match operator {
            BinaryOperator::Add | BinaryOperator::Subtract => Strength::Sum,
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => {
                Strength::Product
            }
            BinaryOperator::Equal | BinaryOperator::NotEqual => Strength::Equality,
            BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual => Strength::Comparison,
            BinaryOperator::And => Strength::And,
            BinaryOperator::Or => Strength::Or,
        }
    }
}
