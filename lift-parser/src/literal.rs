//! Literals.

use lift_core::front::syntax::{Expr, ExprKind};
use lift_core::ir::scalar::{Literal, ScalarType};
use syn::Lit;
use syn::parse::ParseStream;

use crate::error::LiteralMistake;
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
                        self.error(source, LiteralMistake::TooLarge);
                        return Ok(self.broken(source));
                    }
                }
            }
            Ok(Lit::Float(value)) => {
                let digits = value.base10_digits().to_owned();
                (Literal::Float(digits), value.suffix().to_owned())
            }
            Ok(_) | Err(_) => {
                return Err(self.error(source, LiteralMistake::OtherLiteral));
            }
        };
        let scalar = match (suffix.as_str(), ScalarType::from_name(&suffix)) {
            ("", _) => None,
            (_, Some(scalar)) if scalar != ScalarType::Bool => Some(scalar),
            ("usize" | "isize", _) => {
                return Err(self.error(source, LiteralMistake::HostSuffix { suffix }));
            }
            _ => return Err(self.error(source, LiteralMistake::UnknownSuffix { suffix })),
        };
        let value = match (value, scalar) {
            (Literal::Float(digits), Some(scalar)) if scalar.is_integer() => {
                return Err(self.error(source, LiteralMistake::Fraction { digits, scalar }));
            }
            (value, _) => value,
        };
        Ok(self.expr(ExprKind::Literal(value, scalar), source))
    }
}
