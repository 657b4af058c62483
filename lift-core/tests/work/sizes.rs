//! Sizes that a program accepts: the corners at which formulas are compared.

use std::collections::{BTreeMap, BTreeSet};

use lift_core::nat::Var;
use lift_core::typed::{Program, Requirement};

/// What every size variable is, in all combinations.
const CORNERS: [i128; 5] = [1, 2, 7, 1000, 1_000_000];

/// Where constraints leave no corner: powers of two, and numbers with many divisors.
const OTHERS: [i128; 14] = [1, 2, 3, 4, 8, 9, 12, 27, 32, 128, 1024, 1 << 14, 1 << 20, 5040 << 10];

/// More combinations are not looked at.
const MOST: usize = 400;

pub(crate) type Sizes = BTreeMap<Var, i128>;

/// The combinations of corners that a program accepts, or of other sizes where it accepts none of them.
pub(crate) fn corners(program: &Program) -> Vec<Sizes> {
    let accepted = combinations(program, &CORNERS);
    if accepted.len() > 2 || program.sizes.is_empty() {
        return accepted;
    }
    [accepted, combinations(program, &OTHERS)].concat()
}

/// All combinations of these sizes that a program accepts, evenly chosen where there are many.
pub(crate) fn combinations(program: &Program, sizes: &[i128]) -> Vec<Sizes> {
    let mut combinations = vec![Sizes::new()];
    for own in &program.sizes {
        let large_enough = sizes.iter().filter(|size| **size >= i128::from(own.minimum));
        combinations = large_enough
            .flat_map(|size| {
                let with = |chosen: &Sizes| {
                    chosen.clone().into_iter().chain([(own.variable.clone(), *size)]).collect()
                };
                combinations.iter().map(with).collect::<Vec<Sizes>>()
            })
            .collect();
    }
    combinations.retain(|sizes| accepts(program, sizes));
    let distance = combinations.len().div_ceil(MOST).max(1);
    combinations.into_iter().step_by(distance).collect()
}

/// Whether sizes meet what a launch checks.
fn accepts(program: &Program, sizes: &Sizes) -> bool {
    let value = |variable: &Var| sizes.get(variable).copied();
    program.obligations.iter().all(|obligation| {
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
        holds == Some(true)
    })
}

/// Sizes as a person writes them.
pub(crate) fn shown(sizes: &Sizes) -> String {
    let named: Vec<String> = sizes.iter().map(|(size, value)| format!("{} = {value}", size.name())).collect();
    named.join(", ")
}
