//! Scalar types, literals and operators, shared by every stage.

pub use lift_description::{ScalarClass, ScalarType, TypeParameter};

/// A literal value, before or after its type is known.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// An integer; it may turn out to be a float.
    Integer(i128),
    /// A floating-point number: its digits as written, without separators and suffix, so that every backend
    /// rounds it once.
    Float(String),
}

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `-x`
    Negate,
    /// `!x`: the opposite truth value, or an integer with every bit inverted.
    Not,
}

/// An operator with two operands of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BinaryOperator {
    /// `x + y`
    Add,
    /// `x - y`
    Subtract,
    /// `x * y`
    Multiply,
    /// `x / y`
    Divide,
    /// `x % y`
    Remainder,
    /// `x & y`
    BitAnd,
    /// `x ^ y`
    BitXor,
    /// `x | y`
    BitOr,
    /// `x == y`
    Equal,
    /// `x != y`
    NotEqual,
    /// `x < y`
    Less,
    /// `x <= y`
    LessOrEqual,
    /// `x > y`
    Greater,
    /// `x >= y`
    GreaterOrEqual,
    /// `x && y`
    And,
    /// `x || y`
    Or,
}

impl BinaryOperator {
    /// All of them.
    pub(crate) const ALL: [BinaryOperator; 16] = [
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::Divide,
        BinaryOperator::Remainder,
        BinaryOperator::BitAnd,
        BinaryOperator::BitXor,
        BinaryOperator::BitOr,
        BinaryOperator::Equal,
        BinaryOperator::NotEqual,
        BinaryOperator::Less,
        BinaryOperator::LessOrEqual,
        BinaryOperator::Greater,
        BinaryOperator::GreaterOrEqual,
        BinaryOperator::And,
        BinaryOperator::Or,
    ];

    /// The operator as written, in Rust and in OpenCL C alike.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Remainder => "%",
            BinaryOperator::BitAnd => "&",
            BinaryOperator::BitXor => "^",
            BinaryOperator::BitOr => "|",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessOrEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterOrEqual => ">=",
            BinaryOperator::And => "&&",
            BinaryOperator::Or => "||",
        }
    }

    /// The operator's name as a function.
    pub fn name(self) -> &'static str {
        match self {
            BinaryOperator::Add => "add",
            BinaryOperator::Subtract => "subtract",
            BinaryOperator::Multiply => "multiply",
            BinaryOperator::Divide => "divide",
            BinaryOperator::Remainder => "remainder",
            BinaryOperator::BitAnd => "bit_and",
            BinaryOperator::BitXor => "bit_xor",
            BinaryOperator::BitOr => "bit_or",
            BinaryOperator::Equal => "equal",
            BinaryOperator::NotEqual => "unequal",
            BinaryOperator::Less => "less",
            BinaryOperator::LessOrEqual => "at_most",
            BinaryOperator::Greater => "greater",
            BinaryOperator::GreaterOrEqual => "at_least",
            BinaryOperator::And => "and",
            BinaryOperator::Or => "or",
        }
    }

    /// Whether it takes and makes numbers.
    pub fn is_arithmetic(self) -> bool {
        !self.is_comparison() && !self.is_lazy() && !self.is_bitwise()
    }

    /// Whether it combines the bits of integers, or truth values.
    pub fn is_bitwise(self) -> bool {
        matches!(self, BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::BitOr)
    }

    /// Whether the left operand may decide the result alone.
    pub fn is_lazy(self) -> bool {
        matches!(self, BinaryOperator::And | BinaryOperator::Or)
    }

    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        match self {
            BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual => true,
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
            | BinaryOperator::BitAnd
            | BinaryOperator::BitXor
            | BinaryOperator::BitOr
            | BinaryOperator::And
            | BinaryOperator::Or => false,
        }
    }
}
