//! Tests of what is decided, and what is not.

use super::super::{Requirement, Solution, is_monotone, solve};
use super::*;

#[test]
fn an_index_below_a_size_makes_the_size_positive() {
    let Names { n, ranges, .. } = names();
    assert_eq!(ranges.is_less(&number(0), &n), Some(true));
    assert_eq!(Ranges::new().is_less(&number(0), &n), None);
}

#[test]
fn comparisons_follow_from_ranges() {
    let Names { n, m, i, j, l, w, x, ranges } = names();
    for (a, b, expected) in [
        (&i * &m + &j, &n * &m, Some(true)),
        (i.clone(), n.clone(), Some(true)),
        (n.clone(), i.clone(), Some(false)),
        (&l + number(128) * &w, number(1024), Some(true)),
        (div(&i, 4) * number(4), n.clone(), Some(true)),
        (rem(&x, &n), n.clone(), Some(true)),
        (min(&x, &n - number(1)), n.clone(), Some(true)),
        (i.clone(), j.clone(), None),
        (x.clone(), n.clone(), None),
        (&n * (&n - number(1)), number(0), Some(false)),
        (div(&n, 2), n.clone(), Some(true)),
        (i.clone(), &n + number(1), Some(true)),
    ] {
        assert_eq!(ranges.is_less(&a, &b), expected, "{a} < {b}");
    }
}

#[test]
fn equality_is_decided_through_divisions() {
    let Names { n, m, x, ranges, .. } = names();
    assert_eq!(ranges.is_equal(&(&n * &m), &(&m * &n)), Some(true));
    assert_eq!(ranges.is_equal(&n, &(&n + number(1))), Some(false));
    assert_eq!(ranges.is_equal(&n, &m), None);
    assert_eq!(ranges.is_equal(&(&x - rem(&x, &n)), &(&n * div(&x, &n))), Some(true));
    assert_eq!(ranges.is_equal(&div(&n * &m, &m), &n), Some(true));
    assert_eq!(ranges.is_equal(&(number(2) * &n), &(number(2) * &m + number(1))), Some(false));
}

#[test]
fn divisibility_is_decided() {
    let Names { n, m, ranges, .. } = names();
    assert_eq!(ranges.divides(&number(4), &(number(8) * &n)), Some(true));
    assert_eq!(ranges.divides(&number(4), &(number(8) * &n + number(2))), Some(false));
    assert_eq!(ranges.divides(&number(4), &n), None);
    assert_eq!(ranges.divides(&m, &(&n * &m)), Some(true));
    assert_eq!(ranges.divides(&number(2), &(&n * &n + &n)), Some(true));
    assert_eq!(ranges.divides(&number(6), &(&n * &n * &n - &n)), Some(true));
}

#[test]
fn assumptions_count() {
    let Names { n, m, i, x, ranges, .. } = names();
    let mut assumed = ranges.clone();
    assumed.assume(&less(&(&i + number(1)), &n));
    assert_eq!(assumed.is_less(&(&i + number(1)), &n), Some(true));
    assert_eq!(ranges.is_less(&(&i + number(1)), &n), None);
    assumed.assume(&Condition::Equal(m.clone(), number(2) * &n));
    assert_eq!(assumed.is_equal(&m, &(&n + &n)), Some(true));
    assumed.assume(&Condition::Equal(rem(&x, 4), number(1)));
    assert_eq!(assumed.divides(&number(4), &(&x + number(3))), Some(true));
    assert_eq!(assumed.simplify(&rem(&x, 4)), number(1));
}

#[test]
fn bounds_mention_only_sizes() {
    let Names { n, m, i, j, l, w, x, ranges } = names();
    let row = &i * &m + &j;
    assert_eq!(ranges.upper_bound(&row), Some(&n * &m - number(1)));
    assert_eq!(ranges.lower_bound(&row), Some(number(0)));
    assert_eq!(ranges.constant_bounds(&(&l + number(128) * &w)), (Some(0), Some(1023)));
    assert_eq!(ranges.constant_bounds(&n), (Some(1), None));
    assert_eq!(
        ranges.upper_bound(&div(&i, 4)).map(|bound| bound.to_string()),
        Some("(N + 3) / 4 - 1".into())
    );
    // A larger divisor gives a smaller quotient.
    let halved = (&n * number(256)).divide(&number(2).pow(&i));
    assert_eq!(ranges.upper_bound(&halved).map(|bound| bound.to_string()), Some("256 * N".into()));
    assert_eq!(ranges.upper_bound(&x), Some(x));
}

#[test]
fn linear_equations_are_solved() {
    let Names { n, m, x, .. } = names();
    let unknown = var(6);
    let divides = |divisor: &Nat, dividend: &Nat| Requirement::Divides {
        divisor: divisor.clone(),
        dividend: dividend.clone(),
    };
    for (left, right, value, requires) in [
        (n.clone(), number(4) * &x, div(&n, 4), vec![divides(&number(4), &n)]),
        (n.clone(), &x + number(2), &n - number(2), vec![]),
        (&x * &m, n.clone(), div(&n, &m), vec![divides(&m, &n)]),
        (
            div(&x, 4),
            n.clone(),
            number(4) * &n,
            vec![Requirement::ExactDivision { divisor: number(4), dividend: x.clone() }],
        ),
    ] {
        assert_eq!(solve(&left, &right, &unknown), Some(Solution { value, requires }), "{left} == {right}");
    }
    assert_eq!(solve(&(&x * &x), &n, &unknown), None);
    assert_eq!(solve(&min(&x, &m), &n, &unknown), None);
}

#[test]
fn growth_is_decided() {
    let Names { n, m, x, ranges, .. } = names();
    for (expression, expected) in [
        (number(3) * &n, true),
        (div(&n * (&n + number(1)), 2), true),
        (&n * &m, true),
        (div(&n, 2), false),
        (&n * &x, false),
        (number(2).pow(&n), true),
        (number(0) - &n, false),
    ] {
        assert_eq!(is_monotone(&expression, &var(0), &ranges), expected, "{expression}");
    }
}

#[test]
fn the_quotient_of_a_size_by_a_power_that_divides_it_is_no_less_than_0() {
    let Names { n, m, i, .. } = names();
    let [of, exponent, step] = [&n, &m, &i].map(|size| size.as_variable().expect("a variable").clone());
    let mut ranges = Ranges::new();
    ranges.declare(&of, number(0), None);
    ranges.declare(&exponent, number(0), None);
    ranges.assume_divides(&number(2).pow(&m), &n);
    ranges.declare(&step, number(0), Some(&m + number(1)));
    assert_eq!(ranges.is_at_most(&number(0), &n), Some(true));
    assert_eq!(ranges.upper_bound(&n.divide(&number(2).pow(&i))), Some(n.clone()));
    let mut unknown = Ranges::new();
    unknown.assume_divides(&m, &n);
    assert_eq!(unknown.is_at_most(&number(0), &n), None);
}

/// A chain of `else if` on sizes: every condition is asked once, so that the chain is decided at once.
#[test]
fn long_chains_of_conditions_are_decided_in_steps_in_proportion_to_their_length() {
    let Names { n, x, ranges, .. } = names();
    let is = |k: i128| Condition::Equal(&x * number(7), &n * number(3) + number(k));
    let chain = (1..40).map(is).reduce(|others, first| Condition::Or(first.into(), others.into()));
    assert_eq!(chain.map(|chain| ranges.decide(&chain)), Some(None));
}
