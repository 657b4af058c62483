//! Sizes that a kernel accepts: what its declaration asks for, and how much work they make.

use std::collections::BTreeSet;

use lift_core::ir::nat::Var;
use lift_core::ir::typed::{ParameterType, Program, Requirement};

use crate::compare::arguments::value_of;

/// Sizes to try: the smallest ones, primes, powers of two, their neighbours, and multiples of the tiles of
/// the papers.
const CANDIDATES: [usize; 23] =
    [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 31, 32, 33, 48, 64, 67, 96, 128, 256, 384, 512, 1024];

/// The largest product of sizes that is looked at.
const LARGEST_PRODUCT: usize = 1 << 15;

/// All combinations of sizes that a kernel accepts and that make at most `most_steps` steps, in order of the
/// steps. Where all make more, those that make the fewest.
pub(crate) fn admissible(kernel: &Program, most_steps: usize) -> Vec<Vec<usize>> {
    let mut combinations = vec![Vec::new()];
    for size in &kernel.sizes {
        let candidates = CANDIDATES.iter().filter(|candidate| **candidate as u64 >= size.minimum);
        combinations = candidates
            .flat_map(|candidate| {
                combinations.iter().map(|chosen: &Vec<usize>| [chosen.as_slice(), &[*candidate]].concat())
            })
            .filter(|sizes| sizes.iter().product::<usize>() <= LARGEST_PRODUCT)
            .collect();
    }
    combinations.retain(|sizes| accepts(kernel, sizes));
    let mut counted: Vec<(usize, Vec<usize>)> =
        combinations.into_iter().filter_map(|sizes| Some((steps(kernel, &sizes)?, sizes))).collect();
    counted.sort();
    let fewest = counted.first().map_or(0, |(steps, _)| *steps);
    counted.retain(|(steps, _)| *steps <= most_steps.max(fewest));
    counted.into_iter().map(|(_, sizes)| sizes).collect()
}

/// About how many steps a kernel takes: as many as all sizes multiplied, for every element of the parameters
/// whose sizes are constant, such as weights; at least as many as all parameters have elements. None where
/// that is no number.
fn steps(kernel: &Program, sizes: &[usize]) -> Option<usize> {
    let value = |variable: &Var| value_of(kernel, sizes, variable);
    let (mut elements, mut weights) = (0, 1);
    for parameter in &kernel.parameters {
        let ParameterType::Value(ty) = &parameter.ty else { continue };
        let count = ty.element_count();
        elements += usize::try_from(count.evaluate(&value)?).ok()?;
        weights = weights.max(count.as_constant().and_then(|count| usize::try_from(count).ok()).unwrap_or(1));
    }
    Some(elements.max(sizes.iter().product::<usize>() * weights))
}

/// Whether sizes meet everything that a launch checks.
fn accepts(kernel: &Program, sizes: &[usize]) -> bool {
    let value = |variable: &Var| value_of(kernel, sizes, variable);
    kernel.obligations.iter().all(|obligation| {
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
                let place = |position: i128| {
                    image.evaluate(&|variable: &Var| {
                        if variable == index { Some(position) } else { value(variable) }
                    })
                };
                let places: BTreeSet<_> = (0..length).filter_map(place).collect();
                places.len() as i128 == length && places.iter().all(|place| (0..length).contains(place))
            }),
        };
        holds == Some(true)
    })
}
