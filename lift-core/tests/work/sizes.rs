//! Sizes that a program accepts: the corners at which formulas are compared.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use lift_core::ir::nat::Var;
use lift_core::ir::typed::{Program, Requirement};

/// What every size variable is, in all combinations.
const CORNERS: [i128; 5] = [1, 2, 7, 1000, 1_000_000];

/// The same for formulas that take as many steps to evaluate as a size says.
const SMALL_CORNERS: [i128; 4] = [1, 2, 7, 100];

/// Where constraints leave no corner: powers of two, numbers with many divisors, and all others up to
/// [`SMALL`].
const OTHERS: [i128; 4] = [1024, 1 << 14, 1 << 20, 5040 << 10];

/// See [`OTHERS`].
const SMALL: i128 = 160;

/// More combinations are not looked at.
const MOST: usize = 100;

pub(crate) type Sizes = BTreeMap<Var, i128>;

/// The combinations of corners that a program accepts, or of other sizes where it accepts hardly any of them.
pub(crate) fn corners(program: &Program, are_quick: bool) -> Vec<Sizes> {
    let corners = if are_quick { CORNERS.as_slice() } else { SMALL_CORNERS.as_slice() };
    let accepted = combinations(program, corners);
    if accepted.len() > 2 || program.sizes.is_empty() {
        return accepted;
    }
    let largest = if are_quick { i128::MAX } else { SMALL };
    let others: Vec<i128> = (1..=SMALL).chain(OTHERS).filter(|size| *size <= largest).collect();
    [accepted, combinations(program, &others)].concat()
}

/// All combinations of these sizes that a program accepts, evenly chosen where there are many.
pub(crate) fn combinations(program: &Program, sizes: &[i128]) -> Vec<Sizes> {
    let mut combinations = vec![Sizes::new()];
    for own in &program.sizes {
        let large_enough = sizes.iter().filter(|size| **size >= i128::from(own.minimum));
        let with = |chosen: &Sizes, size: &i128| {
            let more: Sizes = chosen.clone().into_iter().chain([(own.variable.clone(), *size)]).collect();
            // What one size must be is asked before there are combinations with others.
            may_be_accepted(program, &more).then_some(more)
        };
        combinations = large_enough
            .flat_map(|size| combinations.iter().filter_map(|chosen| with(chosen, size)).collect::<Vec<_>>())
            .collect();
        combinations = evenly_chosen(combinations);
    }
    combinations
}

fn evenly_chosen(combinations: Vec<Sizes>) -> Vec<Sizes> {
    let distance = combinations.len().div_ceil(MOST).max(1);
    combinations.into_iter().step_by(distance).collect()
}

/// Whether sizes meet what a launch checks, as far as it is about them.
fn may_be_accepted(program: &Program, sizes: &Sizes) -> bool {
    let is_open = Cell::new(false);
    let value = |variable: &Var| {
        let value = sizes.get(variable).copied();
        is_open.set(is_open.get() || value.is_none());
        value
    };
    program.obligations.iter().all(|obligation| {
        is_open.set(false);
        let holds = match &obligation.requirement {
            Requirement::Equal(left, right) => {
                left.evaluate(&value).zip(right.evaluate(&value)).map(|(left, right)| left == right)
            }
            Requirement::AtMost(left, right) => {
                left.evaluate(&value).zip(right.evaluate(&value)).map(|(left, right)| left <= right)
            }
            Requirement::Divides(divisor, number) => {
                let pair = divisor.evaluate(&value).zip(number.evaluate(&value));
                pair.map(|(divisor, number)| divisor != 0 && number % divisor == 0)
            }
            Requirement::Holds(condition) => condition.evaluate(&value),
            Requirement::Permutation { index, image, length } => length.evaluate(&value).map(|length| {
                // The positions of a long array tell no more than those of its beginning.
                let place = |position: i128| {
                    image.evaluate(&|variable: &Var| {
                        if variable == index { Some(position) } else { value(variable) }
                    })
                };
                let looked_at = length.min(1000);
                let places: BTreeSet<_> = (0..looked_at).filter_map(place).collect();
                places.len() as i128 == looked_at && places.iter().all(|place| (0..length).contains(place))
            }),
        };
        is_open.get() || holds == Some(true)
    })
}

/// Sizes as a person writes them.
pub(crate) fn shown(sizes: &Sizes) -> String {
    let named: Vec<String> = sizes.iter().map(|(size, value)| format!("{} = {value}", size.name())).collect();
    named.join(", ")
}
