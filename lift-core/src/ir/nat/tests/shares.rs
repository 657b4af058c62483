//! Sums of the lengths of chunks, and of rows that take elements in turn.

use super::*;

/// A size `N` from 0 on, a number `p` of elements or rows from 1 on, and a number `k` of parts up to `most`.
fn sizes(most: impl FnOnce(&Nat, &Nat) -> Nat) -> (Nat, Nat, Nat, Ranges) {
    let [n, p, k] = [0, 1, 2].map(|number| Nat::variable(&var(number)));
    let mut ranges = Ranges::new();
    ranges.declare(&var(0), Nat::zero(), None);
    ranges.declare(&var(1), Nat::one(), None);
    ranges.declare(&var(2), Nat::zero(), Some(most(&n, &p) + Nat::one()));
    (n, p, k, ranges)
}

/// The sum of a body over the first `to` positions.
fn sum(to: &Nat, body: impl FnOnce(&Nat) -> Nat) -> Nat {
    let position = var(40);
    Nat::sum(&position, &Nat::zero(), to, &body(&Nat::variable(&position)))
}

fn chunk(n: &Nat, p: &Nat, position: &Nat) -> Nat {
    min(p.clone(), n - p * position)
}

fn turn(n: &Nat, p: &Nat, position: &Nat) -> Nat {
    (n - position + p - Nat::one()).divide(p)
}

#[test]
fn chunks_hold_all_elements() {
    let count = |n: &Nat, p: &Nat| (n + p - Nat::one()).divide(p);
    let (n, p, k, ranges) = sizes(count);
    assert_eq!(ranges.simplify(&sum(&count(&n, &p), |i| chunk(&n, &p, i))), n);
    let tiles = count(&n, &number(32));
    assert_eq!(ranges.simplify(&sum(&tiles, |i| chunk(&n, &number(32), i))), n);
    // Each row of a chunk of rows has as many elements as another size says.
    let rows = ranges.simplify(&sum(&count(&n, &p), |i| &k * chunk(&n, &p, i)));
    assert_eq!(rows, &k * &n);
}

#[test]
fn chunks_of_chunks_hold_all_chunks() {
    let count = |n: &Nat, p: &Nat| (n + p - Nat::one()).divide(p);
    let (n, p, _, ranges) = sizes(count);
    let (chunks, eight) = (count(&n, &p), number(8));
    let all = sum(&count(&chunks, &eight), |i| chunk(&chunks, &eight, i));
    assert_eq!(ranges.simplify(&all), chunks);
    // Where chunks may have no elements, their number may have no value, which a sum of nothing has.
    let mut unknown = Ranges::new();
    unknown.declare(&var(0), Nat::zero(), None);
    unknown.declare(&var(1), Nat::zero(), None);
    assert_ne!(unknown.simplify(&all), chunks);
}

#[test]
fn whole_chunks_stand_before_a_chunk() {
    let [n, p, k] = [0, 1, 2].map(|number| Nat::variable(&var(number)));
    let mut ranges = Ranges::new();
    ranges.declare(&var(0), Nat::zero(), None);
    ranges.declare(&var(1), Nat::one(), None);
    ranges.declare(&var(2), Nat::zero(), Some((&n + &p - Nat::one()).divide(&p)));
    assert_eq!(ranges.simplify(&sum(&k, |i| chunk(&n, &p, i))), &k * &p);
}

#[test]
fn rows_that_take_elements_in_turn_hold_all_of_them() {
    let (n, p, _, ranges) = sizes(|_, p| p.clone());
    assert_eq!(ranges.simplify(&sum(&p, |l| turn(&n, &p, l))), n);
    for rows in [1, 2, 7, 128].map(number) {
        assert_eq!(ranges.simplify(&sum(&rows, |l| turn(&n, &rows, l))), n);
        let length = &rows * &n + number(5);
        let all = ranges.simplify(&sum(&rows, |l| turn(&length, &rows, l)));
        assert_eq!(ranges.is_equal(&all, &length), Some(true), "{rows}: {all}");
    }
}

/// `n` elements lie in rows of 8, and groups of 8 work-items take `m` rows each. Work-item `l` of a group
/// takes the element at `l` of every row. The last row may end before it, and there may be fewer rows than
/// groups take.
#[test]
fn elements_that_are_dealt_out_to_work_items_are_counted() {
    let [n, m, groups] = [0, 1, 2].map(|number| Nat::variable(&var(number)));
    let mut ranges = Ranges::new();
    for number in 0..3 {
        ranges.declare(&var(number), Nat::zero(), None);
    }
    let items = number(8);
    let group = var(41);
    let before = &items * &m * Nat::variable(&group);
    let with_elements = min(items.clone(), max(&n + number(1) - &before, 0));
    let rounds = |l: &Nat| min(turn(&n, &items, l) - &m * Nat::variable(&group), m.clone());
    let of_group = sum(&with_elements, rounds);
    let closed = ranges.simplify(&Nat::sum(&group, &Nat::zero(), &groups, &of_group));
    assert_eq!(closed, min(n.clone(), number(8) * &m * &groups));
    let whole = ranges.simplify(&sum(&items, |l| min(turn(&n, &items, l), m.clone())));
    assert_eq!(whole, min(n.clone(), number(8) * &m));
    // The sums have these values.
    let formulas = [Nat::sum(&group, &Nat::zero(), &groups, &of_group), closed];
    for sizes in [[0, 1, 1], [1, 1, 3], [7, 2, 0], [8, 0, 2], [17, 1, 2], [40, 2, 3], [100, 3, 5]] {
        let [expected, value] = [0, 1].map(|formula: usize| {
            formulas[formula].evaluate(&|var: &Var| sizes.get(var.id() as usize).copied())
        });
        assert!(expected.is_some() && value == expected, "{sizes:?}: {value:?}, expected {expected:?}");
    }
}

#[test]
fn rows_of_limited_lengths_have_the_values_of_their_sums() {
    let of_turns = |_: &Nat, p: &Nat| p.clone();
    let limited = |n: &Nat, p: &Nat, l: &Nat| min(turn(n, p, l) - number(1), number(2));
    check(of_turns, limited)([13, 5, 3]);
    let counted = |n: &Nat, _: &Nat, l: &Nat| min(max(n - l, 0).plus(254).divide(&number(255)), 1);
    check(|_, p| p.clone(), counted)([13, 5, 3]);
    let of_many = |n: &Nat, p: &Nat| n + p;
    let chunks_behind = |n: &Nat, p: &Nat, i: &Nat| min(p.clone(), max(n - p * i, 0));
    check(of_many, chunks_behind)([13, 5, 3]);
}

#[test]
fn closed_forms_have_the_values_of_their_sums() {
    let of_chunks = |n: &Nat, p: &Nat| (n + p - Nat::one()).divide(p);
    let of_turns = |_: &Nat, p: &Nat| p.clone();
    let large = i128::from(i64::MAX) - 25;
    assert_eq!(check(of_chunks, chunk)([large, 3, 2]), Some(6));
    assert_eq!(check(of_turns, turn)([large, 3, 2]), Some((large + 2) / 3 + (large + 1) / 3));
}

/// Compares the closed form of a sum over the first parts with the sum of their lengths. Returns the closed
/// form, as a function of `N`, `p` and `k`.
fn check(
    parts: fn(&Nat, &Nat) -> Nat,
    length: fn(&Nat, &Nat, &Nat) -> Nat,
) -> impl Fn([i128; 3]) -> Option<i128> {
    let (n, p, k, ranges) = sizes(parts);
    let closed = ranges.simplify(&sum(&k, |position| length(&n, &p, position)));
    assert!(!closed.to_string().contains("sum"), "{closed}");
    let value = |formula: &Nat, sizes: [i128; 3]| {
        formula.evaluate(&|var: &Var| sizes.get(var.id() as usize).copied())
    };
    for n_is in [0, 1, 2, 5, 7, 12, 13] {
        for p_is in [1, 2, 3, 5, 11, 13, 20] {
            let most = value(&parts(&n, &p), [n_is, p_is, 0]).expect("a number of parts");
            for k_is in 0..=most {
                let lengths = (0..k_is).map(|at| value(&length(&n, &p, &number(at)), [n_is, p_is, 0]));
                let expected: i128 = lengths.map(|length| length.expect("a length")).sum();
                assert_eq!(value(&closed, [n_is, p_is, k_is]), Some(expected), "{n_is} {p_is} {k_is}");
            }
        }
    }
    move |sizes| value(&closed, sizes)
}
