//! The walk over symbolic indices and sizes, for any language.
//!
//! Operators bind alike in C and in Rust. An [`IndexPrinter`] provides what differs: the names of variables,
//! and the text of operations that are no operators, or that have no operator with the same meaning in the
//! language.

use super::problem::Problem;
use super::text::{Strength, Text};
use crate::ir::nat::{Atom, Condition, Nat, Ranges, Term, Var};

/// Operations of the algebra that languages have as functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// The quotient, rounded down.
    FloorDivide,
    /// The remainder, never negative.
    FloorModulo,
    /// A power.
    Power,
    /// The logarithm to base 2, rounded down.
    Log2,
    /// The smaller of two numbers.
    Minimum,
    /// The larger of two numbers.
    Maximum,
}

/// The factors of a product so far.
enum Product {
    Empty,
    Single(Text),
    Several(String),
}

impl Product {
    fn times(self, factor: Text) -> Product {
        match self {
            Product::Empty => Product::Single(factor),
            Product::Single(first) => Product::Several(first.at(Strength::Atom)).times(factor),
            Product::Several(mut product) => {
                product.push_str(" * ");
                product.push_str(&factor.at(Strength::Atom));
                Product::Several(product)
            }
        }
    }

    fn text(self) -> Text {
        match self {
            Product::Empty => Text::new("1", Strength::Atom),
            Product::Single(factor) => factor,
            Product::Several(product) => Text::new(product, Strength::Product),
        }
    }
}

/// Prints indices in a language.
pub(super) trait IndexPrinter {
    /// What is known about the variables here.
    fn ranges(&self) -> &Ranges;

    /// The name of a variable.
    fn variable(&self, variable: &Var) -> String;

    /// Whether `/` and `%` of the language round down here, as they do in the algebra.
    fn divides_alike(&self, dividend: &Nat, divisor: &Nat) -> bool;

    /// Prints a call of a function.
    fn call(&mut self, function: Function, operands: &[&Nat]) -> Text;

    /// Prints a choice.
    fn choice(&mut self, condition: Text, then: Text, otherwise: Text) -> Text;

    /// Notes a formula that cannot be printed.
    fn problem(&mut self, problem: Problem);

    /// Whether a variable is a number that the user passes and that does not determine the length of an
    /// array.
    fn is_passed(&self, variable: &Var) -> bool;

    /// Reports a printed formula to the [`Extents`](crate::print::extent::Extents).
    fn report(&mut self, nat: &Nat);

    /// Prints an index.
    fn nat(&mut self, nat: &Nat) -> Text {
        self.report(nat);
        match nat.terms() {
            [] => return Text::new("0", Strength::Atom),
            [term] => return self.term(term),
            _ => {}
        }
        // Positive terms first, constants last, as a person writes them.
        let mut terms: Vec<&Term> = nat.terms().iter().collect();
        terms.sort_by_key(|term| (term.coefficient < 0, term.factors.is_empty()));
        let mut text = String::new();
        for term in terms {
            text.push_str(match (text.is_empty(), term.coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            });
            text.push_str(&self.magnitude(term).at(Strength::Product));
        }
        Text::new(text, Strength::Sum)
    }

    /// Prints a product.
    fn term(&mut self, term: &Term) -> Text {
        let product = self.magnitude(term);
        match term.coefficient < 0 {
            true => Text::new(format!("-{}", product.at(Strength::Unary)), Strength::Unary),
            false => product,
        }
    }

    /// Prints a product without its sign.
    fn magnitude(&mut self, term: &Term) -> Text {
        let magnitude = term.coefficient.unsigned_abs();
        let mut product = match magnitude != 1 || term.factors.is_empty() {
            true => Product::Single(Text::new(magnitude.to_string(), Strength::Atom)),
            false => Product::Empty,
        };
        for (atom, power) in &term.factors {
            for _ in 0..*power {
                product = product.times(self.atom(atom));
            }
        }
        product.text()
    }

    /// Prints a factor.
    fn atom(&mut self, atom: &Atom) -> Text {
        match atom {
            Atom::Var(variable) => Text::new(self.variable(variable), Strength::Atom),
            Atom::Divide(left, right) if self.divides_alike(left, right) => self.division(left, "/", right),
            Atom::Divide(left, right) => self.call(Function::FloorDivide, &[left, right]),
            Atom::Modulo(left, right) => {
                let left = &self.reduced(left, right);
                match self.divides_alike(left, right) {
                    true => self.division(left, "%", right),
                    false => self.call(Function::FloorModulo, &[left, right]),
                }
            }
            Atom::Minimum(left, right) => self.call(Function::Minimum, &[left, right]),
            Atom::Maximum(left, right) => self.call(Function::Maximum, &[left, right]),
            // The form in which the algebra leaves an expression unsimplified.
            Atom::Power(base, exponent) if exponent.as_constant() == Some(1) => {
                Text::new(self.nat(base).at(Strength::Atom), Strength::Atom)
            }
            Atom::Power(base, exponent) => self.call(Function::Power, &[base, exponent]),
            Atom::Log2(operand) => self.call(Function::Log2, &[operand]),
            Atom::Select(condition, then, otherwise) => {
                let (condition, then) = (self.condition(condition), self.nat(then));
                let otherwise = self.nat(otherwise);
                self.choice(condition, then, otherwise)
            }
            Atom::Sum { index, from, to, body } => {
                // No language has sums: their closed forms are printed, even without the simplification of
                // indices.
                if let Some(closed) = self.ranges().closed_sum(index, from, to, body) {
                    return self.nat(&closed);
                }
                self.problem(Problem::OpenSum { index: index.clone(), body: body.clone() });
                Text::new("0", Strength::Atom)
            }
        }
    }

    /// A dividend with the same remainder. A number that the user passes may be so large that its sum with
    /// anything else fits no index type. So its own remainder is taken first.
    fn reduced(&self, dividend: &Nat, divisor: &Nat) -> Nat {
        let passed = |term: &Term| match term.factors.as_slice() {
            [(Atom::Var(variable), 1)] if self.is_passed(variable) => Some(Nat::variable(variable)),
            _ => None,
        };
        let all: Vec<(&Term, Nat)> =
            dividend.terms().iter().filter_map(|term| Some((term, passed(term)?))).collect();
        // A number that stands alone fits.
        if dividend.as_variable().is_some() {
            return dividend.clone();
        }
        all.into_iter().fold(dividend.clone(), |sum, (term, number)| {
            if self.ranges().proves_at_most(&number, divisor) {
                return sum;
            }
            let remainder = Nat::from_atom(Atom::Modulo(number, divisor.clone()));
            sum - Nat::from_term(term.clone()) + Nat::constant(term.coefficient) * remainder
        })
    }

    /// Prints a quotient or a remainder with the operator of the language.
    fn division(&mut self, left: &Nat, operator: &str, right: &Nat) -> Text {
        let left = self.nat(left).at(Strength::Product);
        let right = self.nat(right).at(Strength::Atom);
        Text::new(format!("{left} {operator} {right}"), Strength::Product)
    }

    /// Prints a comparison of indices.
    fn condition(&mut self, condition: &Condition) -> Text {
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
                // C compilers warn about `&&` inside `||`.
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
