//! How strongly the parts of an expression hold together.

/// From weak to strong, as the parser reads expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// `a >> f`
    Pipe,
    /// `a || b`
    Or,
    /// `a && b`
    And,
    /// `a < b`; comparisons do not chain.
    Comparison,
    /// `a | b`
    BitOr,
    /// `a ^ b`
    BitXor,
    /// `a & b`
    BitAnd,
    /// `a + b`, `a - b`
    Sum,
    /// `a * b`, `a / b`, `a % b`
    Product,
    /// `a as T`
    Cast,
    /// `-a`, `!a`
    Unary,
    /// A name, a number, a call, anything in brackets.
    Operand,
}

impl Strength {
    /// The next stronger one, which a right operand must have.
    pub(super) fn stronger(self) -> Strength {
        match self {
            Strength::Pipe => Strength::Or,
            Strength::Or => Strength::And,
            Strength::And => Strength::Comparison,
            Strength::Comparison => Strength::BitOr,
            Strength::BitOr => Strength::BitXor,
            Strength::BitXor => Strength::BitAnd,
            Strength::BitAnd => Strength::Sum,
            Strength::Sum => Strength::Product,
            Strength::Product => Strength::Cast,
            Strength::Cast => Strength::Unary,
            Strength::Unary | Strength::Operand => Strength::Operand,
        }
    }
}
