//! Tests of interiors: what is decided there is true, and boundary handling vanishes there.

use proptest::prelude::*;

use super::random::{any_expression, cases, condition, setting};
use super::*;
use crate::ir::nat::interior::{Interior, Threshold};

/// The range of an index below `extent` that thresholds leave; `None` where a need is no threshold, or there
/// are no needs.
fn range(interior: &Interior<'_>, index: &Var, extent: &Nat) -> Option<(Nat, Nat)> {
    let thresholds: Option<Vec<Threshold>> = interior.thresholds(index).into_iter().collect();
    let thresholds = thresholds.filter(|thresholds| !thresholds.is_empty())?;
    let (mut low, mut high) = (Nat::zero(), extent.clone());
    for threshold in thresholds {
        match threshold {
            Threshold::First(first) => low = Nat::max(&low, &first),
            Threshold::End(end) => high = Nat::min(&high, &end),
        }
    }
    let low = Nat::min(&low, extent);
    Some((low.clone(), Nat::max(&low, &high)))
}

/// `clamp(position, 0, length - 1)`
fn clamped(position: &Nat, length: &Nat) -> Nat {
    Nat::min(&Nat::max(position, &Nat::zero()), &(length - number(1)))
}

/// Rows `r` of tiles of 64, in `0..N / 64`, and their elements `e` with 8 more on each side.
fn tiles() -> (Ranges, Var, Var, Nat, Nat) {
    let (size, row, element) = (var(0), var(2), var(3));
    let length = Nat::variable(&size);
    let mut ranges = Ranges::new();
    ranges.declare(&size, Nat::zero(), None);
    ranges.assume_divides(&number(64), &length);
    let rows = length.divide(&number(64));
    ranges.declare(&row, Nat::zero(), Some(rows.clone()));
    ranges.declare(&element, Nat::zero(), Some(number(80)));
    let position = number(64) * Nat::variable(&row) + Nat::variable(&element) - number(8);
    (ranges, row, element, rows, position)
}

#[test]
fn a_clamped_tile_is_whole_between_the_first_and_the_last() {
    let (ranges, row, element, rows, position) = tiles();
    let read = clamped(&position, &Nat::variable(&var(0)));
    let mut interior = Interior::new(std::slice::from_ref(&row), &[element], &ranges);
    interior.outcome(&read);
    let (low, high) = range(&interior, &row, &rows).expect("the middle is decided");
    for tiles in 0..5_i128 {
        let size = |asked: &Var| (*asked == var(0)).then_some(64 * tiles);
        let (low, high) = (low.evaluate(&size), high.evaluate(&size));
        let expected = match tiles {
            0 | 1 => (Some(tiles), Some(tiles)),
            _ => (Some(1), Some(tiles - 1)),
        };
        assert_eq!((low, high), expected, "{tiles} tiles");
    }
}

#[test]
fn simplification_under_the_condition_leaves_no_comparison() {
    let (ranges, row, element, _, position) = tiles();
    let length = Nat::variable(&var(0));
    let twice = number(2) * &length;
    let period = position.modulo(&twice);
    let mirrored = Nat::min(&period, &(&twice - number(1) - &period));
    let below = Condition::Less(position.clone(), Nat::zero());
    let wrapped = Nat::select(&below, &(&position + &length), &position);
    for read in [clamped(&position, &length), mirrored, wrapped, position.modulo(&length)] {
        let mut interior = Interior::new(std::slice::from_ref(&row), std::slice::from_ref(&element), &ranges);
        assert_eq!(interior.outcome(&read), position, "{read}");
        let condition = interior.condition().expect("the middle is decided");
        assert!(!condition.mentions(&element), "{condition:?}");
        let mut inside = ranges.clone();
        inside.assume(&condition);
        assert_eq!(inside.simplify(&read), position, "{read} where {condition:?}");
    }
}

#[test]
fn an_index_that_decides_nothing_has_no_interior() {
    let names = names();
    // The element of a row that is read does not depend on the row.
    let read = clamped(&(&names.j - number(1)), &names.m) + &names.i * &names.m;
    let mut interior = Interior::new(&[var(2)], &[var(3)], &names.ranges);
    interior.outcome(&read);
    assert_eq!(interior.thresholds(&var(2)), []);
}

#[test]
fn comparisons_of_inner_variables_stay_while_those_of_the_index_are_decided() {
    let names = names();
    let rows = clamped(&(&names.i - number(1)), &names.n);
    let columns = Nat::max(&(&names.j - number(1)), &Nat::zero());
    let mut interior = Interior::new(&[var(2)], &[var(3)], &names.ranges);
    assert_eq!(interior.outcome(&(rows * &names.m + &columns)), (&names.i - number(1)) * &names.m + columns);
    assert_eq!(
        range(&interior, &var(2), &names.n),
        Some((Nat::min(&number(1), &names.n), Nat::max(&Nat::min(&number(1), &names.n), &names.n)))
    );
}

#[test]
fn the_least_of_needs_that_differ_by_a_number_says_all() {
    let names = names();
    let mut interior = Interior::new(&[var(2)], &[], &names.ranges);
    for offset in [1, 3, 2] {
        interior.outcome(&clamped(&(&names.i - number(offset)), &names.n));
    }
    assert_eq!(interior.condition(), Some(Condition::LessOrEqual(number(3), names.i)));
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn outcomes_are_values_where_the_condition_holds(n in any_expression(), asked in condition(any_expression()), setting in setting()) {
        let ranges = setting.ranges();
        let mut interior = Interior::new(&[var(2)], &[var(3)], &ranges);
        let (outcome, truth) = (interior.outcome(&n), interior.outcome_of(&asked));
        let condition = interior.condition();
        if let Some(condition) = &condition {
            prop_assert!(!condition.mentions(&var(3)), "{:?} for {}", condition, n);
        }
        for values in setting.assignments() {
            let assignment = |var: &Var| values.get(var.id() as usize).copied();
            if condition.as_ref().is_some_and(|condition| condition.evaluate(&assignment) != Some(true)) {
                continue;
            }
            if let (Some(before), Some(after)) = (n.evaluate(&assignment), outcome.evaluate(&assignment)) {
                prop_assert_eq!(before, after, "{} became {} where {:?} at {:?}", n, outcome, condition, values);
            }
            if let (Some(before), Some(after)) = (asked.evaluate(&assignment), truth) {
                prop_assert_eq!(before, after, "{:?} where {:?} at {:?}", asked, condition, values);
            }
        }
    }

    #[test]
    fn ranges_lie_inside_the_loop_and_decide(n in any_expression(), setting in setting()) {
        let (ranges, extent) = (setting.ranges(), setting.upper(0));
        let mut interior = Interior::new(&[var(2)], &[var(3)], &ranges);
        let outcome = interior.outcome(&n);
        let Some((low, high)) = range(&interior, &var(2), &extent) else { return Ok(()) };
        prop_assert!(!low.mentions(&var(2)) && !high.mentions(&var(2)), "{}..{}", low, high);
        for values in setting.assignments() {
            let assignment = |var: &Var| values.get(var.id() as usize).copied();
            let (Some(low), Some(high)) = (low.evaluate(&assignment), high.evaluate(&assignment)) else { continue };
            let extent = extent.evaluate(&assignment).unwrap_or(0).max(0);
            prop_assert!(0 <= low && low <= high && high <= extent, "{}..{} of {} at {:?}", low, high, extent, values);
            if !(low..high).contains(&values[2]) {
                continue;
            }
            if let (Some(before), Some(after)) = (n.evaluate(&assignment), outcome.evaluate(&assignment)) {
                prop_assert_eq!(before, after, "{} became {} in {}..{} at {:?}", n, outcome, low, high, values);
            }
        }
    }
}
