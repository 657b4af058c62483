//! Symbolic indices and sizes in C.
//!
//! Sizes divide like Euclid, C rounds towards zero: `/` and `%` are printed only where the ranges of the loops around
//! prove that the numerator is not negative; elsewhere helpers of the preamble say what is meant.

use std::collections::{BTreeMap, BTreeSet};

use super::preamble::Helper;
use crate::nat::{Atom, Condition, Nat, Ranges, Substitution, Term, Var};

/// Binding strength of what was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// `a ? b : c`
    Choice,
    /// `a || b`
    Or,
    /// `a && b`
    And,
    /// `a == b`
    Equality,
    /// `a < b`
    Comparison,
    /// `a + b`
    Sum,
    /// `a * b`
    Product,
    /// `-a`
    Unary,
    /// `a`
    Atom,
}

/// A printed piece of C with its binding strength.
pub(super) struct Text {
    text: String,
    strength: Strength,
}

impl Text {
    /// A piece of this strength.
    pub(super) fn new(text: impl Into<String>, strength: Strength) -> Text {
        Text { text: text.into(), strength }
    }

    /// The piece where something at least this strong is needed.
    pub(super) fn at(self, strength: Strength) -> String {
        if self.strength >= strength { self.text } else { format!("({})", self.text) }
    }

    /// The piece where anything may stand.
    pub(super) fn bare(self) -> String {
        self.text
    }
}

/// Prints indices within known ranges; remembers which helpers they need.
pub(super) struct IndexPrinter<'r> {
    pub(super) ranges: &'r Ranges,
    /// What variables stand for that were declared by a value.
    pub(super) values: &'r Substitution,
    /// Names of variables that are not called what they print as.
    pub(super) size_names: &'r BTreeMap<Var, String>,
    pub(super) helpers: &'r mut BTreeSet<Helper>,
    /// What cannot be printed, in words.
    pub(super) problems: &'r mut Vec<String>,
}

impl IndexPrinter<'_> {
    /// An index as C.
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
            let piece = self.term(&magnitude).at(Strength::Product);
            text += match (text.is_empty(), negative) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += &piece;
        }
        Text::new(text, Strength::Sum)
    }

    fn term(&mut self, term: &Term) -> Text {
        let magnitude = term.coefficient.unsigned_abs();
        let mut factors: Vec<Text> = Vec::new();
        if magnitude != 1 || term.factors.is_empty() {
            factors.push(Text::new(magnitude.to_string(), Strength::Atom));
        }
        for (atom, power) in &term.factors {
            for _ in 0..*power {
                factors.push(self.atom(atom));
            }
        }
        let product = match <[Text; 1]>::try_from(factors) {
            Ok([single]) => single,
            Err(several) => {
                let several: Vec<String> =
                    several.into_iter().map(|factor| factor.at(Strength::Atom)).collect();
                Text::new(several.join(" * "), Strength::Product)
            }
        };
        match term.coefficient < 0 {
            true => Text::new(format!("-{}", product.at(Strength::Unary)), Strength::Unary),
            false => product,
        }
    }

    fn atom(&mut self, atom: &Atom) -> Text {
        match atom {
            Atom::Var(variable) => {
                let name = self.size_names.get(variable).map_or(variable.name(), String::as_str);
                Text::new(name, Strength::Atom)
            }
            Atom::Divide(left, right) => self.division(left, right, "/", Helper::FloorDivide),
            Atom::Modulo(left, right) => self.division(left, right, "%", Helper::FloorModulo),
            Atom::Minimum(left, right) => self.extremum("min", left, right),
            Atom::Maximum(left, right) => self.extremum("max", left, right),
            // The algebra's way to leave an expression alone.
            Atom::Power(base, exponent) if exponent.as_constant() == Some(1) => {
                Text::new(self.nat(base).at(Strength::Atom), Strength::Atom)
            }
            Atom::Power(base, exponent) if base.as_constant() == Some(2) => {
                let exponent = self.nat(exponent).at(Strength::Atom);
                Text::new(format!("((index_t)1 << {exponent})"), Strength::Atom)
            }
            Atom::Power(base, exponent) => self.call(Helper::Power, &[base, exponent]),
            Atom::Log2(operand) => self.call(Helper::Log2, &[operand]),
            Atom::Select(condition, then, otherwise) => {
                let condition = self.condition(condition).at(Strength::Or);
                let then = self.nat(then).at(Strength::Or);
                let otherwise = self.nat(otherwise).at(Strength::Choice);
                Text::new(format!("{condition} ? {then} : {otherwise}"), Strength::Choice)
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

    fn division(&mut self, left: &Nat, right: &Nat, operator: &str, helper: Helper) -> Text {
        let rounds_alike = self.ranges.is_non_negative(left) == Some(true)
            && self.ranges.is_less(&Nat::zero(), right) != Some(false)
            && self.ranges.is_non_negative(right) == Some(true);
        if !rounds_alike {
            return self.call(helper, &[left, right]);
        }
        let left = self.nat(left).at(Strength::Product);
        let right = self.nat(right).at(Strength::Atom);
        Text::new(format!("{left} {operator} {right}"), Strength::Product)
    }

    /// `min(a, b)`: both operands must have the index type, which literals have not.
    fn extremum(&mut self, name: &str, left: &Nat, right: &Nat) -> Text {
        let mut operand = |nat: &Nat| match nat.as_constant() {
            Some(constant) => format!(
                "(index_t){}",
                if constant < 0 { format!("({constant})") } else { constant.to_string() }
            ),
            None => self.nat(nat).bare(),
        };
        let (left, right) = (operand(left), operand(right));
        // A bound reads better behind what it bounds.
        let (left, right) = if left.starts_with("(index_t)") { (right, left) } else { (left, right) };
        Text::new(format!("{name}({left}, {right})"), Strength::Atom)
    }

    fn call(&mut self, helper: Helper, arguments: &[&Nat]) -> Text {
        self.helpers.insert(helper.clone());
        let arguments: Vec<String> = arguments.iter().map(|argument| self.nat(argument).bare()).collect();
        Text::new(format!("{}({})", helper.name(), arguments.join(", ")), Strength::Atom)
    }

    /// A comparison of indices as C.
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
