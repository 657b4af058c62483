//! Learns that an index is a position in an array.

use super::expression::{Condition, Nat};
use super::facts::Facts;
use super::ranges::{Indices, Ranges, defines_index};
use super::substitute::Substitution;
use super::variable::Var;

impl Ranges {
    /// What is known where `index` is a position in `from..to`. Since there is a position, no factor `v` of
    /// the length is 0, and `index / v < length / v`.
    #[must_use]
    pub(crate) fn with_position(&self, index: &Var, from: &Nat, to: &Nat) -> Ranges {
        let fact = (index.clone(), from.clone(), to.clone());
        self.later(fact, defines_index(from, to.into()), |inside| &inside.positions, learned)
    }
}

/// The facts with this one more.
fn learned(facts: Facts, indices: Indices, (index, from, to): (Var, Nat, Nat)) -> Facts {
    let mut ranges = Ranges::from_facts(facts).with_indices(indices);
    learn(&mut ranges, &index, &from, &to);
    ranges.into_facts()
}

fn learn(ranges: &mut Ranges, index: &Var, from: &Nat, to: &Nat) {
    let starts_at_zero = from.as_constant() == Some(0);
    let factors: Vec<Var> =
        to.variables().into_iter().filter(|factor| starts_at_zero && is_factor(factor, to)).collect();
    for factor in &factors {
        ranges.assume(&Condition::LessOrEqual(Nat::one(), Nat::variable(factor)));
    }
    ranges.declare(index, from.clone(), Some(to.clone()));
    for factor in &factors {
        let factor = Nat::variable(factor);
        let others = ranges.simplify(&to.divide(&factor));
        ranges.assume(&Condition::Less(Nat::variable(index).divide(&factor), others));
    }
}

/// Whether a length is 0 whenever the variable is 0.
fn is_factor(factor: &Var, length: &Nat) -> bool {
    let none = Substitution::from([(factor.clone(), Nat::zero())]);
    length.substitute(&none).as_constant() == Some(0)
}
