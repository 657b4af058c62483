//! Literals.

use lift_core::front::syntax::{Expr, ExprKind};
use lift_core::ir::scalar::{Literal, ScalarType};
use syn::Lit;
use syn::parse::ParseStream;

use crate::state::{Parser, Result};

impl Parser {
    /// A literal: a number or a truth value.
    pub(crate) fn literal(&mut self, input: ParseStream) -> Result<Expr> {
        let source = self.next_source(input);
        let fork = input.fork();
        let literal = fork.parse::<Lit>();
        self.advance(input);
        let (value, suffix) = match literal {
            Ok(Lit::Bool(value)) => (Literal::Bool(value.value), String::new()),
            Ok(Lit::Int(value)) => {
                let suffix = value.suffix().to_owned();
                let is_float = ScalarType::from_name(&suffix).is_some_and(ScalarType::is_float);
                let digits = value.base10_digits();
                match digits.parse::<u64>() {
                    _ if is_float => (Literal::Float(digits.to_owned()), suffix),
                    Ok(number) => (Literal::Integer(number.into()), suffix),
                    Err(_) => {
                        let help = "integers are at most 18446744073709551615, and sizes below 2^63; a float is written with a point: `1.0e30`";
                        self.error_with_help(source, "this number is too large", help);
                        return Ok(self.broken(source));
                    }
                }
            }
            Ok(Lit::Float(value)) => {
                let digits = value.base10_digits().to_owned();
                (Literal::Float(digits), value.suffix().to_owned())
            }
            Ok(_) | Err(_) => {
                return Err(
                    self.error(source, "expected a number, `true` or `false`: there is no other literal")
                );
            }
        };
        let scalar = match (suffix.as_str(), ScalarType::from_name(&suffix)) {
            ("", _) => None,
            (_, Some(scalar)) if scalar != ScalarType::Bool => Some(scalar),
            ("usize" | "isize", _) => {
                return Err(self.error_with_help(
                    source,
                    format!("`{suffix}` is no type of a device"),
                    "leave the suffix out: a literal takes its type from its use",
                ));
            }
            _ => return Err(self.error(source, format!("`{suffix}` is no type of a number"))),
        };
        let value = match (value, scalar) {
            (Literal::Float(digits), Some(scalar)) if scalar.is_integer() => {
                return Err(self.error(source, format!("`{digits}` is no `{scalar}`: it has a fraction")));
            }
            (value, _) => value,
        };
        Ok(self.expr(ExprKind::Literal(value, scalar), source))
    }
}
