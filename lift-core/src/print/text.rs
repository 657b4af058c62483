//! Text in C and in Rust: lines, and pieces of lines with their binding strength, which is the same in both.
//!
//! Lines are put together by hand: without optimisation, formatting and joining them takes several times as
//! long.

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
    /// `a & b`, `a ^ b`, `a | b`: between these and others there are parentheses, because C and Rust disagree
    /// about them.
    Bits,
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

/// The indentation of eight levels; few lines lie deeper.
const EIGHT_LEVELS: &str = "                                ";

/// A line at a depth of nesting.
pub(super) fn indented(depth: usize, text: &str) -> String {
    let mut line = String::with_capacity(4 * depth + text.len());
    let mut left = 4 * depth;
    while left > 0 {
        let spaces = &EIGHT_LEVELS[..left.min(EIGHT_LEVELS.len())];
        line.push_str(spaces);
        left -= spaces.len();
    }
    line.push_str(text);
    line
}

/// Lines as one text, in which each ends.
pub(super) fn joined(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

impl From<BinaryOperator> for Strength {
    fn from(operator: BinaryOperator) -> Strength {
        match operator {
            BinaryOperator::Add | BinaryOperator::Subtract => Strength::Sum,
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => {
                Strength::Product
            }
            BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::BitOr => Strength::Bits,
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
