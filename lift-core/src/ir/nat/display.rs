//! Readable text, close to Rust: `3 * N + 1`, `(i + 1) / 2`, `min(a, b)`. Positive terms come first.

use std::fmt::{self, Display, Formatter};

use super::expression::{Atom, Condition, Nat, Term};

impl Display for Nat {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut terms: Vec<&Term> = self.terms().iter().collect();
        terms.sort_by_key(|term| (term.coefficient < 0, std::cmp::Reverse(term.degree())));
        if terms.is_empty() {
            return formatter.write_str("0");
        }
        let is_sum = terms.len() > 1;
        for (position, term) in terms.into_iter().enumerate() {
            match (position, term.coefficient < 0) {
                (0, false) => {}
                (0, true) => formatter.write_str("-")?,
                (_, false) => formatter.write_str(" + ")?,
                (_, true) => formatter.write_str(" - ")?,
            }
            write_product(term, position == 0 && term.coefficient < 0, is_sum, formatter)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Nat {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

/// The magnitude of a term, which a minus may govern, and which others may stand beside.
fn write_product(
    term: &Term,
    is_negated: bool,
    is_in_sum: bool,
    formatter: &mut Formatter<'_>,
) -> fmt::Result {
    let magnitude = term.coefficient.unsigned_abs();
    let mut separator = "";
    if magnitude != 1 || term.is_constant() {
        write!(formatter, "{magnitude}")?;
        separator = " * ";
    }
    let is_alone = magnitude == 1 && term.degree() == 1 && !is_negated;
    for (atom, power) in &term.factors {
        if *power > 3 {
            write!(formatter, "{separator}pow({}, {power})", Bare(atom))?;
            separator = " * ";
            continue;
        }
        let is_bare = is_alone && !(is_in_sum && matches!(atom, Atom::Select(..)));
        for _ in 0..*power {
            if is_bare {
                write!(formatter, "{separator}{}", Bare(atom))?;
            } else {
                write!(formatter, "{separator}{}", Factor(atom))?;
            }
            separator = " * ";
        }
    }
    Ok(())
}

/// An atom that stands alone.
struct Bare<'a>(&'a Atom);

impl Display for Bare<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Atom::Var(var) => write!(formatter, "{var}"),
            Atom::Divide(a, b) => write!(formatter, "{} / {}", Numerator(a), Divisor(b)),
            Atom::Modulo(a, b) => write!(formatter, "{} % {}", Numerator(a), Divisor(b)),
            Atom::Minimum(a, b) => write!(formatter, "min({a}, {b})"),
            Atom::Maximum(a, b) => write!(formatter, "max({a}, {b})"),
            Atom::Power(base, exponent) if exponent.as_constant() == Some(1) => write!(formatter, "({base})"),
            Atom::Power(base, exponent) => write!(formatter, "pow({base}, {exponent})"),
            Atom::Log2(a) => write!(formatter, "log2({a})"),
            Atom::Sum { index, from, to, body } if from.is_zero() => {
                write!(formatter, "sum({to}, |{index}| {body})")
            }
            Atom::Sum { index, from, to, body } => {
                write!(formatter, "sum({index} in {}..{}, {body})", Divisor(from), Divisor(to))
            }
            Atom::Select(condition, a, b) => write!(formatter, "if {condition} {{ {a} }} else {{ {b} }}"),
        }
    }
}

/// An atom among other factors.
struct Factor<'a>(&'a Atom);

impl Display for Factor<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Atom::Divide(..) | Atom::Modulo(..) | Atom::Select(..) => write!(formatter, "({})", Bare(self.0)),
            Atom::Var(..)
            | Atom::Minimum(..)
            | Atom::Maximum(..)
            | Atom::Power(..)
            | Atom::Log2(..)
            | Atom::Sum { .. } => write!(formatter, "{}", Bare(self.0)),
        }
    }
}

/// A remainder as it is written, whatever it is worth: `4 % 3`.
pub struct Remainder<'a>(pub &'a Nat, pub &'a Nat);

impl Display for Remainder<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} % {}", Numerator(self.0), Divisor(self.1))
    }
}

/// The text before `/` or `%`: a product of simple factors needs no parentheses.
struct Numerator<'a>(&'a Nat);

impl Display for Numerator<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self.0.terms() {
            [] => formatter.write_str("0"),
            [term] if term.coefficient > 0 && (term.coefficient > 1 || term.degree() != 1) => {
                write!(formatter, "{}", self.0)
            }
            _ => write!(formatter, "{}", Divisor(self.0)),
        }
    }
}

/// The text after `/` or `%`: anything but a number, a variable or a call needs parentheses.
struct Divisor<'a>(&'a Nat);

impl Display for Divisor<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match (self.0.as_constant(), self.0.as_atom()) {
            (Some(value), _) if value >= 0 => write!(formatter, "{value}"),
            (None, Some(atom)) => write!(formatter, "{}", Factor(atom)),
            _ => write!(formatter, "({})", self.0),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Less(a, b) => write!(formatter, "{a} < {b}"),
            // As people say it: `N >= 16`.
            Condition::LessOrEqual(a, b) if a.as_constant().is_some() && b.as_constant().is_none() => {
                write!(formatter, "{b} >= {a}")
            }
            Condition::LessOrEqual(a, b) => write!(formatter, "{a} <= {b}"),
            Condition::Equal(a, b) => write!(formatter, "{a} == {b}"),
            Condition::And(a, b) => {
                let operand = |condition| Operand { condition, is_open: is_and };
                write!(formatter, "{} && {}", operand(a), operand(b))
            }
            Condition::Or(a, b) => {
                let operand = |condition| Operand { condition, is_open: is_or };
                write!(formatter, "{} || {}", operand(a), operand(b))
            }
            Condition::Not(a) => match a.as_ref() {
                Condition::Equal(a, b) => write!(formatter, "{a} != {b}"),
                other => write!(formatter, "!({other})"),
            },
        }
    }
}

fn is_and(condition: &Condition) -> bool {
    matches!(condition, Condition::And(..))
}

fn is_or(condition: &Condition) -> bool {
    matches!(condition, Condition::Or(..))
}

/// An operand of `&&` or `||`, in parentheses if it has the other operator.
struct Operand<'a> {
    condition: &'a Condition,
    /// Whether it has the same operator, and needs none.
    is_open: fn(&Condition) -> bool,
}

impl Display for Operand<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let condition = self.condition;
        match (is_and(condition) || is_or(condition)) && !(self.is_open)(condition) {
            true => write!(formatter, "({condition})"),
            false => write!(formatter, "{condition}"),
        }
    }
}
