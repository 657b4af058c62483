//! Orders of assignments, executed one after the other and compared with all at once.

use std::collections::{BTreeMap, BTreeSet};

use super::{Action, in_order};

/// The components that each component is made of.
type Sources = Vec<BTreeSet<usize>>;

fn sources(of: &[&[usize]]) -> Sources {
    of.iter().map(|sources| sources.iter().copied().collect()).collect()
}

fn ordered(sources: &Sources) -> Vec<Action> {
    let reads = |other: &usize, place: usize| *other != place && sources[*other].contains(&place);
    let waiting = |place: usize| (0..sources.len()).filter(|other| reads(other, place)).collect();
    in_order((0..sources.len()).map(|place| (place, waiting(place))).collect())
}

/// A value that tells which values it is made of.
fn value(position: usize, sources: &Sources, places: &[String]) -> String {
    let parts: Vec<_> = sources[position].iter().map(|source| places[*source].as_str()).collect();
    format!("f{position}({})", parts.join(", "))
}

/// What is in the places after a sequence of actions.
fn executed(actions: &[Action], sources: &Sources, before: &[String]) -> Vec<String> {
    let mut places = before.to_vec();
    let mut kept = BTreeMap::new();
    for action in actions {
        match action {
            Action::Keep(position) => {
                kept.insert(*position, value(*position, sources, &places));
            }
            Action::Write(position) => {
                let now = value(*position, sources, &places);
                places[*position] = kept.remove(position).unwrap_or(now);
            }
        }
    }
    places
}

fn kept(actions: &[Action]) -> usize {
    actions.iter().filter(|action| matches!(action, Action::Keep(_))).count()
}

/// Checks that a sequence means the assignment of all at once, and returns how many values it keeps.
fn checked(sources: &Sources) -> usize {
    let before: Vec<String> = (0..sources.len()).map(|place| format!("v{place}")).collect();
    let at_once: Vec<_> = (0..sources.len()).map(|position| value(position, sources, &before)).collect();
    let actions = ordered(sources);
    assert_eq!(executed(&actions, sources, &before), at_once, "{sources:?}: {actions:?}");
    kept(&actions)
}

#[test]
fn every_assignment_of_up_to_three_components_means_all_at_once() {
    for count in 1..=3 {
        for mut number in 0..1usize << (count * count) {
            let mut sources = Sources::new();
            for _ in 0..count {
                sources.push((0..count).filter(|source| number >> source & 1 == 1).collect());
                number >>= count;
            }
            checked(&sources);
        }
    }
}

#[test]
fn random_assignments_of_many_components_mean_all_at_once() {
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..2000 {
        let count = 4 + random(9) as usize;
        let density = 1 + random(6);
        let sources = (0..count).map(|_| (0..count).filter(|_| random(6) < density).collect()).collect();
        checked(&sources);
    }
}

#[test]
fn nothing_is_kept_without_a_cycle_and_the_order_stays_where_it_may() {
    use Action::Write;
    assert_eq!(ordered(&sources(&[&[0], &[1], &[2]])), [Write(0), Write(1), Write(2)]);
    assert_eq!(ordered(&sources(&[&[], &[0]])), [Write(1), Write(0)]);
    assert_eq!(ordered(&sources(&[&[1], &[2], &[]])), [Write(0), Write(1), Write(2)]);
    assert_eq!(ordered(&sources(&[&[0, 1], &[0, 1, 2], &[2]])).len(), 4);
}

#[test]
fn a_cycle_takes_one_variable() {
    for (of, cycles) in [
        (sources(&[&[1], &[0]]), 1),
        (sources(&[&[0, 1], &[0]]), 1),
        (sources(&[&[1], &[0, 1]]), 1),
        (sources(&[&[2], &[0], &[1]]), 1),
        (sources(&[&[1], &[0], &[3], &[2]]), 2),
        (sources(&[&[3], &[0, 1, 2, 3], &[1], &[2]]), 1),
        (sources(&[&[1], &[2], &[1], &[0]]), 1),
        (sources(&[&[0, 1, 2, 3], &[0], &[1], &[2]]), 1),
    ] {
        assert_eq!(checked(&of), cycles, "{of:?}");
    }
}
