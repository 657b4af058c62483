//! Sizes in arguments of rules: numbers, the sizes of a program, `+ - * / %`, `min`, `max`, `pow` and `log2`,
//! as [`Nat`] prints them. Sums over positions and conditions, which nobody passes to a rule, are not read.

use crate::ir::nat::{Nat, too_large};
use crate::ir::typed::Program;

/// Parentheses inside of each other. The reader recurses, and must not exhaust the stack.
const MOST_PARENTHESES: u32 = 32;

/// Why a text is no size.
#[derive(Debug, PartialEq)]
pub(super) enum Fault {
    /// The program has no size of this name.
    Unknown(String),
    /// It is not written as a size is, or a number in it is too large.
    NoSize,
}

/// Reads a size of a program.
pub(super) fn read_size(text: &str, program: &Program) -> Result<Nat, Fault> {
    let mut reader = Reader { rest: text.trim(), program, depth: 0 };
    let size = reader.sum()?;
    if reader.rest.is_empty() { Ok(size) } else { Err(Fault::NoSize) }
}

/// What is still to be read.
struct Reader<'t> {
    rest: &'t str,
    program: &'t Program,
    depth: u32,
}

impl Reader<'_> {
    fn sum(&mut self) -> Result<Nat, Fault> {
        let mut sum = if self.takes("-") { -self.product()? } else { self.product()? };
        loop {
            sum = if self.takes("+") {
                sum + self.product()?
            } else if self.takes("-") {
                sum - self.product()?
            } else {
                return Ok(sum);
            };
            sum = held(sum)?;
        }
    }

    fn product(&mut self) -> Result<Nat, Fault> {
        let mut product = self.factor()?;
        loop {
            product = if self.takes("*") {
                product * self.factor()?
            } else if self.takes("/") {
                product.divide(&self.factor()?)
            } else if self.takes("%") {
                product.modulo(&self.factor()?)
            } else {
                return Ok(product);
            };
            product = held(product)?;
        }
    }

    fn factor(&mut self) -> Result<Nat, Fault> {
        if self.takes("(") {
            return self.inside(|this| this.sum());
        }
        if let Some(size) = self.size_of_the_program() {
            return Ok(size);
        }
        let word = self.word();
        match word.parse() {
            Ok(number) => return held(Nat::constant(number)),
            Err(_) if !self.takes("(") => {
                return Err(if word.is_empty() { Fault::NoSize } else { Fault::Unknown(word) });
            }
            Err(_) => {}
        }
        self.inside(|this| {
            let first = this.sum()?;
            if word == "log2" {
                return Ok(first.log2());
            }
            if !this.takes(",") {
                return Err(Fault::NoSize);
            }
            let second = this.sum()?;
            held(match word.as_str() {
                "min" => Nat::min(&first, &second),
                "max" => Nat::max(&first, &second),
                "pow" => first.pow(&second),
                _ => return Err(Fault::NoSize),
            })
        })
    }

    /// What is read up to the closing parenthesis.
    fn inside(&mut self, read: impl FnOnce(&mut Self) -> Result<Nat, Fault>) -> Result<Nat, Fault> {
        if self.depth == MOST_PARENTHESES {
            return Err(Fault::NoSize);
        }
        self.depth += 1;
        let size = read(self)?;
        self.depth -= 1;
        if self.takes(")") { Ok(size) } else { Err(Fault::NoSize) }
    }

    /// A size of the program by its name, which may be `len(a, 1)`. Where none stands there, nothing is read.
    fn size_of_the_program(&mut self) -> Option<Nat> {
        let ends = |rest: &str| !rest.starts_with(is_part_of_word);
        let named = |name: &str| self.rest.strip_prefix(name).filter(|rest| ends(rest));
        let (size, rest) = self.program.sizes.iter().find_map(|size| {
            let rest = named(size.variable.name()).or_else(|| named(&size.name))?;
            Some((Nat::variable(&size.variable), rest))
        })?;
        self.rest = rest.trim_start();
        Some(size)
    }

    /// The letters and digits that stand next.
    fn word(&mut self) -> String {
        let end = self.rest.find(|letter| !is_part_of_word(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        word.to_owned()
    }

    /// Whether this sign stands next; it is read then.
    fn takes(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }
}

fn is_part_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A size whose numbers launchers and kernels can compute with.
fn held(size: Nat) -> Result<Nat, Fault> {
    match too_large(&size) {
        Some(_) => Err(Fault::NoSize),
        None => Ok(size),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ir::nat::Var;
    use crate::ir::scalar::{Literal, ScalarType};
    use crate::ir::source::Source;
    use crate::ir::typed::{Expr, ExprKind, NodeId, SizeVariable};
    use crate::ir::types::Type;

    /// A program with the sizes `N` and `len(a, 1)`.
    fn program() -> Program {
        let size = |id, name: &str| SizeVariable::new(Var::new(id, name), name.to_owned());
        let body = Expr {
            id: NodeId(0),
            ty: Type::Scalar(ScalarType::I32),
            source: Source::UNKNOWN,
            kind: ExprKind::Literal(Literal::Integer(0)),
        };
        let sizes = vec![size(0, "N"), size(1, "len(a, 1)")];
        Program { sizes, ..Program::new("zero", Arc::new(body), 2) }
    }

    #[test]
    fn a_size_that_was_printed_is_read_as_the_same_size() {
        let program = program();
        for text in [
            "0",
            "32",
            "-N",
            "N / 32",
            "3 * N + len(a, 1) - 1",
            "N * (len(a, 1) / 4)",
            "(N + 1) / 2",
            "2 * N / 3",
            "N % (len(a, 1) + 1)",
            "min(N, 2 * len(a, 1))",
            "max(N, 64) / 64",
            "pow(N, 5)",
            "pow(2, N)",
            "log2(N)",
            "-2 * N + 7",
        ] {
            let size = read_size(text, &program).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            assert_eq!(read_size(&size.to_string(), &program), Ok(size), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_of_the_program_is_refused() {
        let program = program();
        assert_eq!(read_size("M + 1", &program), Err(Fault::Unknown("M".to_owned())));
        assert_eq!(read_size("NN", &program), Err(Fault::Unknown("NN".to_owned())));
        let too_deep = format!("{}N{}", "(".repeat(1000), ")".repeat(1000));
        for text in ["", "N +", "(N", "N)", "min(N)", "sum(N, |i| i)", "9223372036854775808", &too_deep] {
            assert!(read_size(text, &program).is_err(), "{text}");
        }
    }
}
