//! Symbolic indices and sizes in Rust. All of them are `isize`.

use super::Names;
use crate::nat::{Atom, Condition, Nat, Ranges, Term};
use crate::print::index::{Strength, Text};

/// Prints indices within known ranges.
pub(super) struct IndexPrinter<'r> {
    pub(super) names: &'r Names<'r>,
    pub(super) ranges: &'r Ranges,
    /// What cannot be printed, in words.
    pub(super) problems: &'r mut Vec<String>,
}

impl IndexPrinter<'_> {
    /// An index.
    pub(super) fn nat(&mut self, nat: &Nat) -> Text {
        let mut terms = nat.terms().to_vec();
        if terms.is_empty() {
            return Text::new("0", Strength::Atom);
        }
        // Positive terms first, constants last, as a person writes them.
        terms.sort_by_key(|term| (term.coefficient < 0, term.factors.is_empty()));
        if let [term] = terms.as_slice() {
            return self.term(term);
        }
        let mut text = String::new();
        for term in &terms {
            let negative = term.coefficient < 0;
            let magnitude =
                Term { coefficient: term.coefficient.saturating_abs(), factors: term.factors.clone() };
            text += match (text.is_empty(), negative) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += &self.term(&magnitude).at(Strength::Product);
        }
        Text::new(text, Strength::Sum)
    }

    fn term(&mut self, term: &Term) -> Text {
        let magnitude = term.coefficient.unsigned_abs();
        let mut factors: Vec<String> = Vec::new();
        if magnitude != 1 || term.factors.is_empty() {
            factors.push(magnitude.to_string());
        }
        for (atom, power) in &term.factors {
            for _ in 0..*power {
                factors.push(self.atom(atom).at(Strength::Atom));
            }
        }
        let strength = if factors.len() > 1 { Strength::Product } else { Strength::Atom };
        let product = Text::new(factors.join(" * "), strength);
        match term.coefficient < 0 {
            true => Text::new(format!("-{}", product.at(Strength::Atom)), Strength::Unary),
            false => product,
        }
    }

    fn atom(&mut self, atom: &Atom) -> Text {
        match atom {
            Atom::Var(variable) => Text::new(self.names.index(variable), Strength::Atom),
            Atom::Divide(left, right) => self.division(left, right, "/", "floor_divide"),
            Atom::Modulo(left, right) => self.division(left, right, "%", "floor_modulo"),
            Atom::Minimum(left, right) => self.call("least", &[left, right]),
            Atom::Maximum(left, right) => self.call("greatest", &[left, right]),
            // The algebra's way to leave an expression alone.
            Atom::Power(base, exponent) if exponent.as_constant() == Some(1) => {
                Text::new(self.nat(base).at(Strength::Atom), Strength::Atom)
            }
            Atom::Power(base, exponent) => self.call("power", &[base, exponent]),
            Atom::Log2(operand) => self.call("log2", &[operand]),
            Atom::Select(condition, then, otherwise) => {
                let condition = self.condition(condition).bare();
                let (then, otherwise) = (self.nat(then).bare(), self.nat(otherwise).bare());
                Text::new(format!("(if {condition} {{ {then} }} else {{ {otherwise} }})"), Strength::Atom)
            }
            Atom::Sum { index, from, to, body } => {
                // Neither language has sums: without the simplification of indices, too, their closed forms are printed.
                let sum = Nat::sum(index, from, to, body);
                let closed = self.ranges.simplify(&sum);
                if closed != sum {
                    return self.nat(&closed);
                }
                self.problems.push(format!(
                    "the sum of `{body}` for `{}` from `{from}` to `{to}` has no closed form",
                    index.name()
                ));
                Text::new("0", Strength::Atom)
            }
        }
    }

    fn division(&mut self, left: &Nat, right: &Nat, operator: &str, general: &str) -> Text {
        let not_negative = |nat: &Nat| self.ranges.is_non_negative(nat) == Some(true);
        let divisor_is_positive = self.ranges.is_less(&Nat::zero(), right) == Some(true);
        if !(not_negative(left) && divisor_is_positive) {
            return self.call(general, &[left, right]);
        }
        let left = self.nat(left).at(Strength::Product);
        let right = self.nat(right).at(Strength::Atom);
        Text::new(format!("{left} {operator} {right}"), Strength::Product)
    }

    fn call(&mut self, function: &str, arguments: &[&Nat]) -> Text {
        let arguments: Vec<String> = arguments.iter().map(|argument| self.nat(argument).bare()).collect();
        Text::new(format!("__lift_host::index::{function}({})", arguments.join(", ")), Strength::Atom)
    }

    /// A comparison of indices.
    pub(super) fn condition(&mut self, condition: &Condition) -> Text {
        let mut comparison = |left: &Nat, operator: &str, right: &Nat, strength: Strength| {
            let left = self.nat(left).at(Strength::Sum);
            let right = self.nat(right).at(Strength::Sum);
            Text::new(format!("{left} {operator} {right}"), strength)
        };
        match condition {
            Condition::Less(left, right) => comparison(left, "<", right, Strength::Comparison),
            Condition::LessOrEqual(left, right) => comparison(left, "<=", right, Strength::Comparison),
            Condition::Equal(left, right) => comparison(left, "==", right, Strength::Equality),
            Condition::And(left, right) => {
                let left = self.condition(left).at(Strength::And);
                let right = self.condition(right).at(Strength::And);
                Text::new(format!("{left} && {right}"), Strength::And)
            }
            Condition::Or(left, right) => {
                let left = self.condition(left).at(Strength::Equality);
                let right = self.condition(right).at(Strength::Equality);
                Text::new(format!("{left} || {right}"), Strength::Or)
            }
            Condition::Not(inner) => {
                let inner = self.condition(inner).at(Strength::Atom);
                Text::new(format!("!{inner}"), Strength::Unary)
            }
        }
    }
}
