//! What divided reductions ask: work is dealt out to groups, work-items and parts by quotients that round up,
//! and the last of them get less or nothing.

use super::*;

/// `n / d`, rounded up.
fn ceiling(n: &Nat, d: &Nat) -> Nat {
    (n + d - number(1)).divide(d)
}

fn at_most(a: &Nat, b: &Nat) -> Condition {
    Condition::LessOrEqual(a.clone(), b.clone())
}

/// What is asked only where there is an element.
fn unless_none(count: &Nat, asked: Condition) -> Condition {
    less(count, &number(1)).or(asked)
}

#[test]
fn the_smaller_of_two_is_at_least_the_smaller_of_less() {
    let Names { n, ranges, .. } = names();
    for number_of_items in [1, 128, 256] {
        let items = min(number(number_of_items), n.clone());
        let elements = min(number(16384), n.clone());
        assert_eq!(ranges.is_at_most(&items, &elements), Some(true), "{items} <= {elements}");
        let others = div(&elements - &items, number_of_items);
        assert_eq!(ranges.is_at_most(&number(0), &others), Some(true), "{others}");
        let larger = max(number(16384), n.clone()) - max(number(number_of_items), n.clone());
        assert_eq!(ranges.is_at_most(&number(0), &larger), Some(true), "{larger}");
        assert_eq!(ranges.is_at_most(&elements, &items), None, "{elements} <= {items}");
    }
}

#[test]
fn a_work_item_takes_elements_in_turn_and_none_behind_the_last() {
    let Names { l, mut ranges, n, .. } = names();
    let groups = var(7);
    ranges.declare(&groups, number(0), Some(min(number(4096), ceiling(&n, &number(128)))));
    let length = min(number(4096), ceiling(&n, &number(128)));
    let count = div(max(number(0), &length - &l) + number(127), 128);
    let last = &l + number(128) * &count;
    let inside = unless_none(&count, less(&last, &(&length + number(128))));
    assert_eq!(ranges.decide(&inside), Some(true), "{inside}");
    let wrong = unless_none(&count, less(&last, &(&length + number(1))));
    assert_eq!(ranges.decide(&wrong), None, "{wrong}");
}

#[test]
fn a_group_takes_rounds_and_the_last_groups_fewer() {
    let Names { l, mut ranges, n, .. } = names();
    let group = var(7);
    ranges.declare(&group, number(0), Some(min(number(4096), ceiling(&n, &number(128)))));
    let rounds = ceiling(&n, &number(128 * 4096));
    let start = number(128) * Nat::variable(&group) * &rounds + &l;
    let count = min(div(max(number(0), &n - &start) + number(127), 128), rounds.clone());
    let last = &start + number(128) * &count;
    let inside = unless_none(&count, less(&last, &(&n + number(128))));
    assert_eq!(ranges.decide(&inside), Some(true), "{inside}");
    // Without elements, groups start behind the last one.
    assert_eq!(ranges.decide(&less(&last, &(&n + number(128)))), None);
    let wrong = unless_none(&count, less(&last, &(&n + number(127))));
    assert_eq!(ranges.decide(&wrong), None, "{wrong}");
}

#[test]
fn parts_of_a_length_that_is_computed_start_inside() {
    let Names { n, m, .. } = names();
    for others in [number(1), number(68), number(4) * &m + number(4)] {
        let mut ranges = names().ranges;
        let length = ceiling(&n, &number(1024)) + &others;
        let parts = ceiling(&n, &length);
        let part = var(7);
        ranges.declare(&part, number(0), Some(parts.clone()));
        let left = &n - Nat::variable(&part) * &length;
        assert_eq!(ranges.is_at_most(&number(1), &left), Some(true), "1 <= {left}");
        assert_eq!(ranges.is_at_most(&number(2), &left), None, "2 <= {left}");
        let rounded = (&n - number(1)).divide(&length) + number(1);
        assert_eq!(ranges.decide(&at_most(&parts, &rounded)), Some(true), "{parts} <= {rounded}");
        assert_eq!(ranges.decide(&at_most(&rounded, &parts)), Some(true), "{rounded} <= {parts}");
        assert_eq!(ranges.decide(&at_most(&rounded, &(&parts - number(1)))), Some(false));
    }
}

#[test]
fn parts_of_a_length_that_is_rounded_up_start_inside() {
    let Names { n, .. } = names();
    let mut ranges = names().ranges;
    let all = number(64) * ceiling(&n, &number(64));
    let length = number(4) * &n + ceiling(&n, &number(1024)) + number(4);
    let part = var(7);
    ranges.declare(&part, number(0), Some(ceiling(&all, &length)));
    let left = &all - Nat::variable(&part) * &length;
    assert_eq!(ranges.is_at_most(&number(1), &left), Some(true), "1 <= {left}");
    assert_eq!(ranges.is_at_most(&number(2), &left), None, "2 <= {left}");
}

#[test]
fn tiles_fit_into_what_is_taken_in_turn() {
    let Names { n, ranges, .. } = names();
    let tiles = ceiling(&n, &number(1792));
    let items = number(256) * ceiling(&n, &number(256 * 1792));
    assert_eq!(ranges.is_at_most(&tiles, &items), Some(true), "{tiles} <= {items}");
    assert_eq!(ranges.is_at_most(&(&tiles + number(1)), &items), None, "{tiles} < {items}");
}

#[test]
fn a_multiple_of_a_length_that_follows_from_sizes_is_rounded_up() {
    let Names { n, ranges, .. } = names();
    let m = max(number(16), div(n.clone() + number(511), 512));
    let d = number(16) * &m;
    for d in [d, m.clone()] {
        let rounded = &d * &ceiling(&n, &d);
        assert_eq!(ranges.is_at_most(&n, &rounded), Some(true), "{n} <= {rounded}");
    }
}
