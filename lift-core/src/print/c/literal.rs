//! Literals: the value that a compiler reads is that of the user's digits, rounded once to the type.
//!
//! That is what `eval` and the host take, too. It needs care where the language has no literals of the type:
//! a literal of half precision is one of single precision that is converted, and what the literal of an open
//! type is read as is known only when the program runs.

use crate::ir::half_precision::round_to_half;
use crate::ir::scalar::{Literal, ScalarType};

use super::dialect::Dialect;

/// Prints a literal of a type.
pub(super) fn literal(dialect: &dyn Dialect, literal: &Literal, ty: ScalarType) -> String {
    match literal {
        Literal::Bool(value) => if *value { "true" } else { "false" }.to_string(),
        Literal::Integer(value) => integer(dialect, *value, ty),
        Literal::Float(digits) => float(dialect, digits, ty),
    }
}

fn integer(dialect: &dyn Dialect, value: i128, ty: ScalarType) -> String {
    match ty {
        ScalarType::F16 | ScalarType::F32 | ScalarType::F64 => float(dialect, &value.to_string(), ty),
        ScalarType::Bool => (value != 0).to_string(),
        ScalarType::I8 | ScalarType::I16 | ScalarType::U8 | ScalarType::U16 | ScalarType::Parameter(_) => {
            format!("({}){}", dialect.type_name(ty), parenthesised(value))
        }
        ScalarType::I32 if value == i128::from(i32::MIN) => "(-2147483647 - 1)".to_string(),
        ScalarType::I32 => value.to_string(),
        ScalarType::U32 => format!("{value}u"),
        ScalarType::I64 if value == i128::from(i64::MIN) => {
            format!("(-9223372036854775807{} - 1)", dialect.long_suffix())
        }
        ScalarType::I64 => format!("{value}{}", dialect.long_suffix()),
        ScalarType::U64 => format!("{value}U{}", dialect.long_suffix()),
    }
}

fn parenthesised(value: i128) -> String {
    if value < 0 { format!("({value})") } else { value.to_string() }
}

fn float(dialect: &dyn Dialect, digits: &str, ty: ScalarType) -> String {
    // The lexer lets only numbers through.
    let Ok(double) = digits.parse::<f64>() else { return digits.to_owned() };
    match ty {
        ScalarType::F32 => single(dialect, digits.parse().unwrap_or(double as f32)),
        ScalarType::F16 => {
            format!("({}){}", dialect.type_name(ty), single(dialect, single_for_half(double)))
        }
        ScalarType::Parameter(parameter) => open(parameter.index, digits, double),
        ScalarType::F64
        | ScalarType::Bool
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64 => format!("{double:?}"),
    }
}

/// A literal of single precision: the shortest digits that read back as the same value.
fn single(dialect: &dyn Dialect, value: f32) -> String {
    if value.is_infinite() {
        let infinity = dialect.infinity();
        return if value > 0.0 { infinity.to_owned() } else { format!("(-{infinity})") };
    }
    format!("{value:?}f")
}

/// The number of single precision whose conversion is `value` in half precision. The nearest one has digits
/// that a reader recognises, but its conversion rounds a second time: where that gives another number, the
/// result itself is written.
fn single_for_half(value: f64) -> f32 {
    let (nearest, half) = (value as f32, round_to_half(value));
    if round_to_half(nearest.into()) == half { nearest } else { half }
}

/// A literal of an open type, by the macro that reads its digits as a number of double precision where the
/// type has 64 bits, and else as one of single precision that is converted.
fn open(parameter: usize, digits: &str, value: f64) -> String {
    let shortest = format!("{value:?}");
    // The shortest digits of the number of double precision are not always nearest to the same number of
    // single precision.
    let is_single = digits.parse::<f32>().is_ok_and(|single| shortest.parse() == Ok(single));
    let digits = if is_single { shortest } else { with_point(digits) };
    let literal = |digits: &str| format!("T{parameter}_LITERAL({digits})");
    match single_for_half(value) {
        nearest if nearest == value as f32 => literal(&digits),
        half => {
            format!("(T{parameter}_BITS == 16 ? {} : {})", literal(&format!("{half:?}")), literal(&digits))
        }
    }
}

/// Digits to which C lets a suffix be added.
fn with_point(digits: &str) -> String {
    if digits.contains(['.', 'e', 'E']) { digits.to_owned() } else { format!("{digits}.0") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::scalar::{ScalarClass, TypeParameter};
    use crate::print::c::OpenCl;

    #[test]
    fn literals_read_back_as_the_value_that_rustc_gives_them() {
        let float = |digits: &str, ty| literal(&OpenCl, &Literal::Float(digits.into()), ty);
        assert_eq!(float("0.1", ScalarType::F32), "0.1f");
        assert_eq!(float("1e-7", ScalarType::F32), "1e-7f");
        assert_eq!(float("0.1", ScalarType::F64), "0.1");
        assert_eq!(float("16777217", ScalarType::F32), "16777216.0f");
        assert_eq!(literal(&OpenCl, &Literal::Integer(3), ScalarType::F32), "3.0f");
        assert_eq!(literal(&OpenCl, &Literal::Integer(-3), ScalarType::I8), "(char)(-3)");
        assert_eq!(
            literal(&OpenCl, &Literal::Integer(i128::from(i32::MIN)), ScalarType::I32),
            "(-2147483647 - 1)"
        );
    }

    /// A little more than the middle between two numbers of half precision; in single precision it is the
    /// middle, which rounds to the even one.
    const ABOVE_A_TIE_OF_HALVES: &str = "1.00048828126";

    /// A little less than the middle between two numbers of single precision. In double precision it is the
    /// middle, and the shortest digits of the middle are a little more than it.
    const BELOW_A_TIE_OF_SINGLES: &str = "1.00000005960464477539062499";

    #[test]
    fn literals_of_half_precision_are_rounded_once() {
        let half = |digits: &str| literal(&OpenCl, &Literal::Float(digits.into()), ScalarType::F16);
        assert_eq!(half("0.1"), "(half)0.1f");
        assert_eq!(half(ABOVE_A_TIE_OF_HALVES), "(half)1.0009766f");
        assert_eq!(f64::from("1.0009766".parse::<f32>().unwrap()), 1.000_976_562_5);
        assert_eq!(half("1.00048828125"), "(half)1.0004883f");
    }

    #[test]
    fn literals_of_open_types_are_rounded_once_whatever_the_type_is() {
        let class = ScalarClass::Float;
        let ty = ScalarType::Parameter(TypeParameter { index: 0, class });
        let open = |digits: &str| literal(&OpenCl, &Literal::Float(digits.into()), ty);
        assert_eq!(open("0.1"), "T0_LITERAL(0.1)");
        assert_eq!(open("1"), "T0_LITERAL(1.0)");
        assert_eq!(
            open(ABOVE_A_TIE_OF_HALVES),
            "(T0_BITS == 16 ? T0_LITERAL(1.0009766) : T0_LITERAL(1.00048828126))"
        );
        assert_eq!(open(BELOW_A_TIE_OF_SINGLES), format!("T0_LITERAL({BELOW_A_TIE_OF_SINGLES})"));
    }
}
