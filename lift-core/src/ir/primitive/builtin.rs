//! Built-in scalar functions.

use std::fmt;

use crate::ir::scalar::ScalarType;

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
    /// Inverse hyperbolic sine.
    Asinh,
    /// Inverse hyperbolic cosine.
    Acosh,
    /// Inverse hyperbolic tangent.
    Atanh,
    /// `log(1 + x)`, also precise where `x` is small.
    Log1p,
    /// `exp(x) - 1`, also precise where `x` is small.
    Expm1,
    /// The error function.
    Erf,
    /// `1 - erf(x)`, also precise where that is small.
    Erfc,
    /// The natural logarithm of the absolute value of the gamma function.
    Lgamma,
    /// The gamma function.
    Tgamma,
    /// `sqrt(x * x + y * y)`, also where a square is too large or too small.
    Hypot,
    /// `x` to the power of an `i32`.
    Powi,
    /// Rounded down.
    Floor,
    /// Rounded up.
    Ceil,
    /// Rounded to the nearest, ties away from zero.
    Round,
    /// Rounded towards zero.
    Trunc,
    /// Rounded to the nearest, ties to the even one.
    Rint,
    /// The remainder of a division that is rounded towards zero; it has the sign of `x`.
    Fmod,
    /// `x` times 2 to the power of an `i32`, rounded once.
    Ldexp,
    /// The absolute value of `x` with the sign of `y`.
    Copysign,
    /// Whether it is NaN.
    IsNan,
    /// Whether it is neither NaN nor infinite.
    IsFinite,
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
    /// The bits moved up by `k` modulo their number; zeros come in.
    Shl,
    /// The bits moved down by `k` modulo their number; copies of the sign come in, or zeros for unsigned types.
    Shr,
    /// The bits moved up by `k`; those that fall out come in again.
    Rotl,
    /// The bits moved down by `k`; those that fall out come in again.
    Rotr,
    /// The upper half of the product, which has twice as many bits.
    MulHi,
    /// An integer to the power of a `u32`, which wraps as products do.
    WrappingPow,
    /// The number of bits that are set.
    Popcount,
    /// The number of zeros above the highest bit that is set; all bits of 0.
    LeadingZeros,
    /// The number of zeros below the lowest bit that is set; all bits of 0.
    TrailingZeros,
    /// The bits of a float as an unsigned integer.
    ToBits,
    /// The float with the bits of an unsigned integer.
    FromBits,
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
    /// Integers only; an open type becomes an integer.
    Integer,
    /// `f32` and `f64`, whose bits are an unsigned integer of the language; an open type becomes `f32`.
    FloatWithBits,
    /// `u32` and `u64`, which are the bits of a float; an open type becomes `u32`.
    BitsOfFloat,
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
        (Builtin::Asinh, "asinh", 1, Domain::Float),
        (Builtin::Acosh, "acosh", 1, Domain::Float),
        (Builtin::Atanh, "atanh", 1, Domain::Float),
        (Builtin::Log1p, "log1p", 1, Domain::Float),
        (Builtin::Expm1, "expm1", 1, Domain::Float),
        (Builtin::Erf, "erf", 1, Domain::Float),
        (Builtin::Erfc, "erfc", 1, Domain::Float),
        (Builtin::Lgamma, "lgamma", 1, Domain::Float),
        (Builtin::Tgamma, "tgamma", 1, Domain::Float),
        (Builtin::Hypot, "hypot", 2, Domain::Float),
        (Builtin::Powi, "powi", 2, Domain::Float),
        (Builtin::Floor, "floor", 1, Domain::Float),
        (Builtin::Ceil, "ceil", 1, Domain::Float),
        (Builtin::Round, "round", 1, Domain::Float),
        (Builtin::Trunc, "trunc", 1, Domain::Float),
        (Builtin::Rint, "rint", 1, Domain::Float),
        (Builtin::Fmod, "fmod", 2, Domain::Float),
        (Builtin::Ldexp, "ldexp", 2, Domain::Float),
        (Builtin::Copysign, "copysign", 2, Domain::Float),
        (Builtin::IsNan, "isNan", 1, Domain::Float),
        (Builtin::IsFinite, "isFinite", 1, Domain::Float),
        (Builtin::Fma, "fma", 3, Domain::Float),
        (Builtin::Mad, "mad", 3, Domain::Number),
        (Builtin::ClampValue, "clampv", 3, Domain::Number),
        (Builtin::Sign, "sign", 1, Domain::Number),
        (Builtin::Select, "select", 3, Domain::Number),
        (Builtin::Dot, "dot", 2, Domain::Number),
        (Builtin::Shl, "shl", 2, Domain::Integer),
        (Builtin::Shr, "shr", 2, Domain::Integer),
        (Builtin::Rotl, "rotl", 2, Domain::Integer),
        (Builtin::Rotr, "rotr", 2, Domain::Integer),
        (Builtin::MulHi, "mulHi", 2, Domain::Integer),
        (Builtin::WrappingPow, "wrappingPow", 2, Domain::Integer),
        (Builtin::Popcount, "popcount", 1, Domain::Integer),
        (Builtin::LeadingZeros, "leadingZeros", 1, Domain::Integer),
        (Builtin::TrailingZeros, "trailingZeros", 1, Domain::Integer),
        (Builtin::ToBits, "toBits", 1, Domain::FloatWithBits),
        (Builtin::FromBits, "fromBits", 1, Domain::BitsOfFloat),
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

    /// The types that it takes.
    pub fn domain(self) -> Domain {
        Self::ALL.iter().find(|row| row.0 == self).map_or(Domain::Number, |row| row.3)
    }

    /// The type of its last argument, if that is an exponent and has a type of its own.
    pub fn exponent(self) -> Option<ScalarType> {
        match self {
            Builtin::Powi | Builtin::Ldexp => Some(ScalarType::I32),
            Builtin::WrappingPow => Some(ScalarType::U32),
            _ => None,
        }
    }

    /// One of the arguments that have one type: all but the condition of `select` and exponents.
    pub fn operand<T>(self, arguments: &[T]) -> Option<&T> {
        if self.exponent().is_some() { arguments.first() } else { arguments.last() }
    }

    /// The scalar type of its result, given that of its [operands](Self::operand).
    pub fn result(self, operand: ScalarType) -> ScalarType {
        match (self, operand) {
            (Builtin::IsNan | Builtin::IsFinite, _) => ScalarType::Bool,
            (Builtin::ToBits, ScalarType::F64) => ScalarType::U64,
            (Builtin::ToBits, _) => ScalarType::U32,
            (Builtin::FromBits, ScalarType::U64) => ScalarType::F64,
            (Builtin::FromBits, _) => ScalarType::F32,
            (_, operand) => operand,
        }
    }

    /// The name of the function of the runtime that computes it on the host, as Rust writes names.
    pub fn host_name(self) -> &'static str {
        match self {
            Builtin::IsNan => "is_nan",
            Builtin::IsFinite => "is_finite",
            Builtin::MulHi => "mul_hi",
            Builtin::WrappingPow => "wrapping_pow",
            Builtin::LeadingZeros => "leading_zeros",
            Builtin::TrailingZeros => "trailing_zeros",
            Builtin::ToBits => "to_bits",
            Builtin::FromBits => "from_bits",
            other => other.name(),
        }
    }

    /// The function of Rust's floats that has another name there, which a method call may use.
    pub fn from_method_of_floats(name: &str) -> Option<(Builtin, usize)> {
        let function = match name {
            "ln" => Builtin::Log,
            "ln_1p" => Builtin::Log1p,
            "exp_m1" => Builtin::Expm1,
            "powf" => Builtin::Pow,
            "round_ties_even" => Builtin::Rint,
            "mul_add" => Builtin::Fma,
            "is_nan" => Builtin::IsNan,
            "is_finite" => Builtin::IsFinite,
            "to_bits" => Builtin::ToBits,
            _ => return None,
        };
        Self::from_name(function.name())
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
