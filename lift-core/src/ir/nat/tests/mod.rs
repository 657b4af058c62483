//! Tests of the algebra: simplified forms, and that expressions keep their values.

mod cost;
mod divided;
mod examples;
mod interior;
mod questions;
mod random;
mod shares;

use super::{Condition, Nat, Ranges, Var};

/// The variables of the examples.
struct Names {
    n: Nat,
    m: Nat,
    i: Nat,
    j: Nat,
    l: Nat,
    w: Nat,
    x: Nat,
    ranges: Ranges,
}

/// The numbers of the variables, in the order of declaration.
const NAMES: [&str; 7] = ["N", "M", "i", "j", "l", "w", "x"];

fn var(number: u32) -> Var {
    Var::new(number, NAMES.get(number as usize).copied().unwrap_or("unnamed"))
}

/// Sizes `N` and `M`, indices `i` in `0..N`, `j` in `0..M`, `l` in `0..128`, `w` in `0..8`; nothing is known
/// about `x`.
fn names() -> Names {
    let at = |number| Nat::variable(&var(number));
    let mut ranges = Ranges::new();
    ranges.declare(&var(0), Nat::zero(), None);
    ranges.declare(&var(1), Nat::zero(), None);
    ranges.declare(&var(2), Nat::zero(), Some(at(0)));
    ranges.declare(&var(3), Nat::zero(), Some(at(1)));
    ranges.declare(&var(4), Nat::zero(), Some(number(128)));
    ranges.declare(&var(5), Nat::zero(), Some(number(8)));
    Names { n: at(0), m: at(1), i: at(2), j: at(3), l: at(4), w: at(5), x: at(6), ranges }
}

fn number(value: i128) -> Nat {
    Nat::constant(value)
}

fn div(a: impl Into<Nat>, b: impl Into<Nat>) -> Nat {
    a.into().divide(&b.into())
}

fn rem(a: impl Into<Nat>, b: impl Into<Nat>) -> Nat {
    a.into().modulo(&b.into())
}

fn min(a: impl Into<Nat>, b: impl Into<Nat>) -> Nat {
    Nat::min(&a.into(), &b.into())
}

fn max(a: impl Into<Nat>, b: impl Into<Nat>) -> Nat {
    Nat::max(&a.into(), &b.into())
}

fn less(a: &Nat, b: &Nat) -> Condition {
    Condition::Less(a.clone(), b.clone())
}

/// Checks the simplified form of each expression, and that simplifying it again does not change it.
fn assert_simplified(ranges: &Ranges, table: &[(Nat, &str)]) {
    let mut failures = Vec::new();
    for (expression, expected) in table {
        let simplified = ranges.simplify(expression);
        if simplified.to_string() != *expected {
            failures.push(format!("{expression}\n  became   {simplified}\n  expected {expected}"));
        }
        let again = ranges.simplify(&simplified);
        if again != simplified {
            failures.push(format!("{expression}\n  became {simplified}\n  and then {again}"));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
