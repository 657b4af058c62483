//! Built-in scalar functions.

use std::fmt;

/// A built-in function on scalars that has no operator. It works element by element on vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Builtin {
    /// The smaller of two numbers. If one of two floats is NaN, the other one.
    Min,
    /// The larger of two numbers. If one of two floats is NaN, the other one.
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
    /// `x * y + z`, rounded as the device chooses.
    Mad,
    /// `clampv(x, lo, hi)`
    ClampValue,
    /// -1, 0 or 1: the sign of `x`.
    Sign,
    /// `select(c, a, b)`: `a` where `c` holds, else `b`.
    Select,
    /// The sum of the products of the components of two vectors: the only function that does not work element
    /// by element.
    Dot,
    /// Another function in the device's fastest form, rounded as the device chooses.
    Native(Native),
}

/// The functions that OpenCL C has in a second form, which is fast and whose precision each device chooses
/// (OpenCL C 1.2, section 6.12.2, `native_`). Their meaning is the exact function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Native {
    /// `1 / x`
    Recip,
    /// `x / y`
    Divide,
    /// Square root.
    Sqrt,
    /// `1 / sqrt(x)`
    Rsqrt,
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
    /// `x` to the power of `y`, for `x` of 0 or more.
    Powr,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
}

impl Native {
    /// The built-in function that it means; `None` for quotients.
    pub fn exact(self) -> Option<Builtin> {
        match self {
            Native::Recip | Native::Divide => None,
            Native::Sqrt => Some(Builtin::Sqrt),
            Native::Rsqrt => Some(Builtin::Rsqrt),
            Native::Exp => Some(Builtin::Exp),
            Native::Exp2 => Some(Builtin::Exp2),
            Native::Log => Some(Builtin::Log),
            Native::Log2 => Some(Builtin::Log2),
            Native::Log10 => Some(Builtin::Log10),
            Native::Powr => Some(Builtin::Pow),
            Native::Sin => Some(Builtin::Sin),
            Native::Cos => Some(Builtin::Cos),
            Native::Tan => Some(Builtin::Tan),
        }
    }
}

/// The types that a built-in takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// Any number.
    Number,
    /// Floating-point numbers only; an open type becomes a float.
    Float,
    /// `f32` only, as in OpenCL; an open type becomes `f32`.
    Single,
}

impl Builtin {
    /// Every built-in with its name, its number of arguments and its domain.
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
        (Builtin::Native(Native::Recip), "native_recip", 1, Domain::Single),
        (Builtin::Native(Native::Divide), "native_divide", 2, Domain::Single),
        (Builtin::Native(Native::Sqrt), "native_sqrt", 1, Domain::Single),
        (Builtin::Native(Native::Rsqrt), "native_rsqrt", 1, Domain::Single),
        (Builtin::Native(Native::Exp), "native_exp", 1, Domain::Single),
        (Builtin::Native(Native::Exp2), "native_exp2", 1, Domain::Single),
        (Builtin::Native(Native::Log), "native_log", 1, Domain::Single),
        (Builtin::Native(Native::Log2), "native_log2", 1, Domain::Single),
        (Builtin::Native(Native::Log10), "native_log10", 1, Domain::Single),
        (Builtin::Native(Native::Powr), "native_powr", 2, Domain::Single),
        (Builtin::Native(Native::Sin), "native_sin", 1, Domain::Single),
        (Builtin::Native(Native::Cos), "native_cos", 1, Domain::Single),
        (Builtin::Native(Native::Tan), "native_tan", 1, Domain::Single),
    ];

    /// The built-in with this name, and its number of arguments.
    pub fn from_name(name: &str) -> Option<(Builtin, usize)> {
        Self::ALL.iter().find(|row| row.1 == name).map(|row| (row.0, row.2))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|row| row.0 == self).map_or("?", |row| row.1)
    }
}

impl fmt::Display for Builtin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
