//! Literals, exactly: every backend gets the value that rustc would give the same digits.

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
    match ty {
        ScalarType::F32 => digits.parse::<f32>().map_or_else(|_| digits.to_string(), shortest_f32),
        ScalarType::F16 => {
            let half = dialect.type_name(ty);
            format!("({half}){}", digits.parse::<f32>().map_or_else(|_| digits.to_string(), shortest_f32))
        }
        ScalarType::Parameter(parameter) => {
            let value =
                digits.parse::<f64>().map_or_else(|_| digits.to_string(), |value| format!("{value:?}"));
            format!("T{}_LITERAL({value})", parameter.index)
        }
        ScalarType::F64
        | ScalarType::Bool
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64 => {
            digits.parse::<f64>().map_or_else(|_| digits.to_string(), |value| format!("{value:?}"))
        }
    }
}

/// The shortest digits that read back as the same value.
fn shortest_f32(value: f32) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "INFINITY" } else { "(-INFINITY)" }.to_string();
    }
    format!("{value:?}f")
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
