//! Built-in scalar functions.

use std::fmt;

/// A built-in function on scalars that has no operator. It works element by element on vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    /// The smaller one; of two floats, the other one where one is NaN.
    Min,
    /// The larger one; of two floats, the other one where one is NaN.
    Max,
    /// The absolute value.
    Abs,
    /// Square root.
    Sqrt,
    /// `1 / sqrt(x)`
    Rsqrt,
    /// Cube root.
    Cbrt,
    /// `e` to the power of `x`.
    Exp,
    /// 2 to the power of `x`.
    Exp2,
    /// Natural logarithm.
    Log,
    /// Logarithm to base 2.
    Log2,
    /// Logarithm to base 10.
    Log10,
    /// `x` to the power of `y`.
    Pow,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Arc sine.
    Asin,
    /// Arc cosine.
    Acos,
    /// Arc tangent.
    Atan,
    /// Arc tangent of `y / x` in the right quadrant.
    Atan2,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Rounded down.
    Floor,
    /// Rounded up.
    Ceil,
    /// Rounded to the nearest, ties away from zero.
    Round,
    /// Rounded towards zero.
    Trunc,
    /// `x * y + z`, rounded once.
    Fma,
    /// `x * y + z`, rounded as the device likes.
    Mad,
    /// `clampv(x, lo, hi)`
    ClampValue,
    /// -1, 0 or 1, as `x` is.
    Sign,
    /// `select(c, a, b)`: `a` where `c` holds, else `b`.
    Select,
    /// The sum of the products of the components of two vectors: the one function that does not work element by element.
    Dot,
}

/// What a built-in takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// Any number.
    Number,
    /// Floating-point numbers only; an open type becomes a float.
    Float,
}

impl Builtin {
    /// Every built-in with its name, its number of arguments and what it takes.
    pub const ALL: &'static [(Builtin, &'static str, usize, Domain)] = &[
        (Builtin::Min, "min", 2, Domain::Number),
        (Builtin::Max, "max", 2, Domain::Number),
        (Builtin::Abs, "abs", 1, Domain::Number),
        (Builtin::Sqrt, "sqrt", 1, Domain::Float),
        (Builtin::Rsqrt, "rsqrt", 1, Domain::Float),
        (Builtin::Cbrt, "cbrt", 1, Domain::Float),
        (Builtin::Exp, "exp", 1, Domain::Float),
        (Builtin::Exp2, "exp2", 1, Domain::Float),
        (Builtin::Log, "log", 1, Domain::Float),
        (Builtin::Log2, "log2", 1, Domain::Float),
        (Builtin::Log10, "log10", 1, Domain::Float),
        (Builtin::Pow, "pow", 2, Domain::Float),
        (Builtin::Sin, "sin", 1, Domain::Float),
        (Builtin::Cos, "cos", 1, Domain::Float),
        (Builtin::Tan, "tan", 1, Domain::Float),
        (Builtin::Asin, "asin", 1, Domain::Float),
        (Builtin::Acos, "acos", 1, Domain::Float),
        (Builtin::Atan, "atan", 1, Domain::Float),
        (Builtin::Atan2, "atan2", 2, Domain::Float),
        (Builtin::Sinh, "sinh", 1, Domain::Float),
        (Builtin::Cosh, "cosh", 1, Domain::Float),
        (Builtin::Tanh, "tanh", 1, Domain::Float),
        (Builtin::Floor, "floor", 1, Domain::Float),
        (Builtin::Ceil, "ceil", 1, Domain::Float),
        (Builtin::Round, "round", 1, Domain::Float),
        (Builtin::Trunc, "trunc", 1, Domain::Float),
        (Builtin::Fma, "fma", 3, Domain::Float),
        (Builtin::Mad, "mad", 3, Domain::Number),
        (Builtin::ClampValue, "clampv", 3, Domain::Number),
        (Builtin::Sign, "sign", 1, Domain::Number),
        (Builtin::Select, "select", 3, Domain::Number),
        (Builtin::Dot, "dot", 2, Domain::Number),
    ];

    /// The built-in that is written `name`, and its number of arguments.
    pub fn from_name(name: &str) -> Option<(Builtin, usize)> {
        Self::ALL.iter().find(|row| row.1 == name).map(|row| (row.0, row.2))
    }

    /// The name it is written with.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|row| row.0 == self).map_or("?", |row| row.1)
    }
}

impl fmt::Display for Builtin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
