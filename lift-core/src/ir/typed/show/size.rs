//! Sizes, types and conditions in the syntax of the language.

use std::collections::BTreeSet;

use super::names::Names;
use super::strength::Strength;
use super::unsayable::Unsayable;
use crate::flat::FlatSet;
use crate::ir::nat::{Atom, Condition, Nat, Term, Var};
use crate::ir::scalar::{ScalarType, TypeParameter};
use crate::ir::types::Type;

/// Products of more equal factors than this are powers.
const MOST_FACTORS: u32 = 3;

impl Names {
    /// A size where nothing stands beside it.
    pub(super) fn size_text(&mut self, size: &Nat) -> Result<String, Unsayable> {
        Ok(self.strong_size(size)?.0)
    }

    /// A size as a value. A choice or a sum would be read as one of values.
    pub(super) fn size_as_value(&mut self, size: &Nat) -> Result<(String, Strength), Unsayable> {
        let told = self.told_by_lengths(size)?;
        let (text, strength) = self.strong_size(size)?;
        match has_cases(&told) {
            true => Err(Unsayable::SizeAsValue { size: text }),
            false => Ok((text, strength)),
        }
    }

    /// A size, in parentheses where it binds more weakly than `least`.
    pub(super) fn size_operand(&mut self, size: &Nat, least: Strength) -> Result<String, Unsayable> {
        let (text, strength) = self.strong_size(size)?;
        Ok(if strength < least { format!("({text})") } else { text })
    }

    /// A size, and how strongly the text holds together.
    pub(super) fn strong_size(&mut self, size: &Nat) -> Result<(String, Strength), Unsayable> {
        let size = &self.told_by_lengths(size)?;
        let mut terms: Vec<&Term> = size.terms().iter().collect();
        // Positive terms come first, and among them those of the highest degree.
        terms.sort_by_key(|term| (term.coefficient < 0, std::cmp::Reverse(degree(term))));
        let mut text = String::new();
        let mut strength = Strength::Operand;
        for (position, term) in terms.iter().enumerate() {
            let (product, product_strength) = self.product(term)?;
            let negative = term.coefficient < 0;
            strength = match (position, negative) {
                (0, false) => product_strength,
                (0, true) if term.factors.is_empty() => Strength::Unary,
                (0, true) => Strength::Product,
                _ => Strength::Sum,
            };
            match (position, negative) {
                (0, false) => {}
                (0, true) => text.push('-'),
                (_, false) => text.push_str(" + "),
                (_, true) => text.push_str(" - "),
            }
            // Behind a minus stands a product, whose first factor the minus takes.
            let is_weak = negative && position == 0 && product_strength < Strength::Unary;
            let is_quotient = is_weak && term.factors.len() == 1 && term.coefficient == -1;
            text.push_str(&if is_quotient { format!("({product})") } else { product });
        }
        if terms.is_empty() {
            text.push('0');
        }
        Ok((text, strength))
    }

    /// The magnitude of a term.
    fn product(&mut self, term: &Term) -> Result<(String, Strength), Unsayable> {
        let magnitude = term.coefficient.unsigned_abs();
        let mut factors = Vec::new();
        if magnitude != 1 || term.factors.is_empty() {
            factors.push(magnitude.to_string());
        }
        let is_alone = magnitude == 1 && degree(term) == 1;
        for (atom, power) in &term.factors {
            if is_alone {
                return self.atom(atom);
            }
            if *power > MOST_FACTORS {
                factors.push(format!("pow({}, {power})", self.atom(atom)?.0));
                continue;
            }
            let (text, strength) = self.atom(atom)?;
            let factor = if strength < Strength::Unary { format!("({text})") } else { text };
            factors.extend(std::iter::repeat_n(factor, *power as usize));
        }
        let strength = if factors.len() == 1 { Strength::Operand } else { Strength::Product };
        Ok((factors.join(" * "), strength))
    }

    fn atom(&mut self, atom: &Atom) -> Result<(String, Strength), Unsayable> {
        let text = match atom {
            Atom::Var(variable) => self.size(variable)?,
            Atom::Divide(left, right) | Atom::Modulo(left, right) => {
                let symbol = if matches!(atom, Atom::Divide(..)) { "/" } else { "%" };
                let left = self.size_operand(left, Strength::Product)?;
                let right = self.size_operand(right, Strength::Unary)?;
                return Ok((format!("{left} {symbol} {right}"), Strength::Product));
            }
            Atom::Minimum(left, right) => self.call("min", left, right)?,
            Atom::Maximum(left, right) => self.call("max", left, right)?,
            Atom::Power(base, exponent) if exponent.as_constant() == Some(1) => {
                return Ok((format!("({})", self.size_text(base)?), Strength::Operand));
            }
            Atom::Power(base, exponent) => self.call("pow", base, exponent)?,
            Atom::Log2(size) => format!("log2({})", self.size_text(size)?),
            Atom::Sum { index, from, to, body } => {
                // A sum of the language starts at 0.
                let shifted = Nat::variable(index) + from;
                let body = body.substitute(&[(index.clone(), shifted)].into());
                let count = self.size_text(&(to - from))?;
                let mark = self.mark();
                let name = self.add_position(index, &body)?;
                let body = self.size_text(&body)?;
                self.leave(&mark);
                format!("sum({count}, |{name}| {body})")
            }
            Atom::Select(condition, then, otherwise) => {
                let condition = self.condition(condition)?.0;
                let (then, (otherwise, strength)) = (self.size_text(then)?, self.strong_size(otherwise)?);
                match strength == Strength::Operand && otherwise.starts_with("if ") {
                    true => format!("if {condition} {{ {then} }} else {otherwise}"),
                    false => format!("if {condition} {{ {then} }} else {{ {otherwise} }}"),
                }
            }
        };
        Ok((text, Strength::Operand))
    }

    fn call(&mut self, function: &str, left: &Nat, right: &Nat) -> Result<String, Unsayable> {
        Ok(format!("{function}({}, {})", self.size_text(left)?, self.size_text(right)?))
    }

    /// A condition on sizes.
    pub(super) fn condition(&mut self, condition: &Condition) -> Result<(String, Strength), Unsayable> {
        let (left, symbol, right, strength) = match condition {
            Condition::Less(left, right) => return self.comparison(left, "<", right),
            Condition::LessOrEqual(left, right) => return self.comparison(left, "<=", right),
            Condition::Equal(left, right) => return self.comparison(left, "==", right),
            Condition::Not(operand) => {
                if let Condition::Equal(left, right) = operand.as_ref() {
                    return self.comparison(left, "!=", right);
                }
                return Ok((format!("!({})", self.condition(operand)?.0), Strength::Unary));
            }
            Condition::And(left, right) => (left, "&&", right, Strength::And),
            Condition::Or(left, right) => (left, "||", right, Strength::Or),
        };
        let mut side = |side: &Condition, least| {
            let (text, strength) = self.condition(side)?;
            Ok(if strength < least { format!("({text})") } else { text })
        };
        let (left, right) = (side(left, strength)?, side(right, strength.stronger())?);
        Ok((format!("{left} {symbol} {right}"), strength))
    }

    fn comparison(&mut self, left: &Nat, symbol: &str, right: &Nat) -> Result<(String, Strength), Unsayable> {
        let (left, right) =
            (self.size_operand(left, Strength::Sum)?, self.size_operand(right, Strength::Sum)?);
        Ok((format!("{left} {symbol} {right}"), Strength::Comparison))
    }

    /// Adds a position that a formula mentions, and returns its name.
    pub(super) fn add_position(&mut self, index: &Var, body: &Nat) -> Result<String, Unsayable> {
        let avoided = self.sizes_in(&body.variables(), index)?;
        Ok(self.add_size(index, &avoided))
    }

    /// The texts of sizes that are mentioned besides `except`.
    pub(super) fn sizes_in(
        &self,
        mentioned: &FlatSet<Var>,
        except: &Var,
    ) -> Result<BTreeSet<String>, Unsayable> {
        mentioned.iter().filter(|size| *size != except).map(|size| self.size(size)).collect()
    }

    /// A type.
    /// A scalar type. An open one has a name where the item declares it.
    pub(super) fn scalar_text(&self, scalar: ScalarType) -> Result<String, Unsayable> {
        match scalar {
            ScalarType::Parameter(parameter) if self.declares_types => Ok(type_name(parameter)),
            other => scalar_text(other),
        }
    }

    pub(super) fn type_text(&mut self, ty: &Type) -> Result<String, Unsayable> {
        match ty {
            Type::Scalar(scalar) => self.scalar_text(*scalar),
            Type::Vector(scalar, width) => Ok(format!("{}x{width}", scalar_text(*scalar)?)),
            Type::Size => Ok("size".to_owned()),
            Type::Tuple(components) => {
                let components: Vec<String> =
                    components.iter().map(|component| self.type_text(component)).collect::<Result<_, _>>()?;
                Ok(format!("({})", components.join(", ")))
            }
            Type::Array(array) => {
                let length = self.size_text(&array.length)?;
                let Some(index) = &array.index else {
                    return Ok(format!("[{}; {length}]", self.type_text(&array.element)?));
                };
                let mark = self.mark();
                let avoided = self.sizes_in(&array.element.variables(), index)?;
                let name = self.add_size(index, &avoided);
                let element = self.type_text(&array.element)?;
                self.leave(&mark);
                Ok(format!("[{name} => {element}; {length}]"))
            }
        }
    }
}

/// Whether a size has a choice or a sum inside.
fn has_cases(size: &Nat) -> bool {
    size.terms().iter().flat_map(|term| &term.factors).any(|(atom, _)| match atom {
        Atom::Select(..) | Atom::Sum { .. } => true,
        Atom::Var(_) => false,
        Atom::Divide(left, right)
        | Atom::Modulo(left, right)
        | Atom::Minimum(left, right)
        | Atom::Maximum(left, right)
        | Atom::Power(left, right) => has_cases(left) || has_cases(right),
        Atom::Log2(size) => has_cases(size),
    })
}

fn degree(term: &Term) -> u32 {
    term.factors.iter().fold(0, |degree, (_, power)| degree.saturating_add(*power))
}

/// The name of a type that an item declares.
pub(super) fn type_name(parameter: TypeParameter) -> String {
    format!("T{}", parameter.index)
}

/// A scalar type.
pub(super) fn scalar_text(scalar: ScalarType) -> Result<String, Unsayable> {
    match scalar {
        ScalarType::Parameter(_) => Err(Unsayable::OpenType),
        known => Ok(known.to_string()),
    }
}
