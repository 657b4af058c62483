//! Whether a number grows or shrinks with an index, as far as its form shows.

use super::{Atom, Nat, Ranges, Term, Var};

/// How a number changes as an index grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// It stays.
    Constant,
    /// It stays or grows.
    Growing,
    /// It stays or shrinks.
    Shrinking,
}

impl Direction {
    fn opposite(self) -> Direction {
        match self {
            Direction::Constant => Direction::Constant,
            Direction::Growing => Direction::Shrinking,
            Direction::Shrinking => Direction::Growing,
        }
    }

    /// Joins two directions; `None` where they conflict.
    fn together(self, other: Direction) -> Option<Direction> {
        match (self, other) {
            (Direction::Constant, direction) | (direction, Direction::Constant) => Some(direction),
            (direction, other) => (direction == other).then_some(direction),
        }
    }
}

/// The direction of a number along an index; `None` where its form does not show it.
pub(crate) fn direction(nat: &Nat, index: &Var, ranges: &Ranges) -> Option<Direction> {
    nat.terms().iter().try_fold(Direction::Constant, |sum, term| sum.together(of_term(term, index, ranges)?))
}

fn of_term(term: &Term, index: &Var, ranges: &Ranges) -> Option<Direction> {
    let mut direction = Direction::Constant;
    for (position, (atom, exponent)) in term.factors.iter().enumerate() {
        let of_factor = of_atom(atom, index, ranges)?;
        if of_factor == Direction::Constant {
            continue;
        }
        let others = term.factors.iter().enumerate().filter(|(other, _)| *other != position);
        let mut scales = others.map(|(_, (factor, _))| Nat::from_atom(factor.clone()));
        // The other factors must not turn it around.
        if !scales.all(|scale| ranges.is_non_negative(&scale) == Some(true)) {
            return None;
        }
        // A power of a negative number shrinks while the number grows, and so may a product with one.
        let is_alone = term.factors.len() == 1 && *exponent == 1;
        if !is_alone && ranges.is_non_negative(&Nat::from_atom(atom.clone())) != Some(true) {
            return None;
        }
        direction = direction.together(of_factor)?;
    }
    Some(if term.coefficient < 0 { direction.opposite() } else { direction })
}

fn of_atom(atom: &Atom, index: &Var, ranges: &Ranges) -> Option<Direction> {
    let of = |nat: &Nat| direction(nat, index, ranges);
    let is_fixed = |nat: &Nat| !nat.mentions(index);
    match atom {
        Atom::Var(variable) if variable == index => Some(Direction::Growing),
        Atom::Var(_) => Some(Direction::Constant),
        Atom::Minimum(left, right) | Atom::Maximum(left, right) => of(left)?.together(of(right)?),
        Atom::Divide(numerator, divisor)
            if is_fixed(divisor) && ranges.is_non_negative(divisor) == Some(true) =>
        {
            of(numerator)
        }
        _ => is_fixed(&Nat::from_atom(atom.clone())).then_some(Direction::Constant),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_quotients_and_extrema_have_a_direction() {
        let (i, n) = (Var::new(1, "i"), Var::new(2, "N"));
        let mut ranges = Ranges::new();
        ranges.declare(&n, Nat::zero(), None);
        ranges.declare(&i, Nat::zero(), Some(Nat::variable(&n)));
        let of = |nat: &Nat| direction(nat, &i, &ranges);
        let (index, size) = (Nat::variable(&i), Nat::variable(&n));
        let constant = Nat::constant;
        assert_eq!(of(&(index.clone() + constant(1))), Some(Direction::Growing));
        assert_eq!(of(&(size.clone() - &index)), Some(Direction::Shrinking));
        assert_eq!(of(&(&size * &index)), Some(Direction::Growing));
        assert_eq!(of(&size), Some(Direction::Constant));
        let rounded = (size.clone() - &index + constant(255)).divide(&constant(256));
        assert_eq!(of(&Nat::min(&rounded, &constant(7))), Some(Direction::Shrinking));
        assert_eq!(of(&index.modulo(&constant(3))), None);
        assert_eq!(of(&(&index * &(size - &index))), None);
    }

    #[test]
    fn a_power_of_a_number_that_may_be_negative_has_no_direction() {
        let (i, k) = (Var::new(1, "i"), Var::new(2, "k"));
        let mut ranges = Ranges::new();
        ranges.declare(&i, Nat::constant(-4), Some(Nat::constant(5)));
        ranges.declare(&k, Nat::zero(), Some(Nat::constant(5)));
        let of = |variable: &Var| {
            let number = Nat::variable(variable);
            direction(&(&number * &number), variable, &ranges)
        };
        assert_eq!(of(&i), None);
        assert_eq!(of(&k), Some(Direction::Growing));
        let cube = Nat::variable(&k) * Nat::variable(&k) * Nat::variable(&k);
        assert_eq!(direction(&-cube, &k, &ranges), Some(Direction::Shrinking));
    }
}
