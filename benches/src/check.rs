//! Compares results with what they must be.
//!
//! The plain computation on the processor would take minutes for large inputs. So a result is compared with
//! it only at as many positions as can be computed quickly (all of them for small inputs), and with the first
//! checked result at every position.

use crate::case::{Case, Meaning};

/// Operations of the processor for one check.
const EFFORT: usize = 1 << 26;

/// Compares a result with the plain computation, and returns the first difference in words.
pub(crate) fn against_meaning(case: &Case, found: &[f32]) -> Result<(), String> {
    let elements = case.outputs.iter().sum();
    if found.len() != elements {
        return Err(format!("{} elements instead of {elements}", found.len()));
    }
    let checked = (EFFORT / case.meaning.operations.max(1)).clamp(2, found.len().max(2));
    for position in positions(found.len(), checked) {
        let expected = (case.meaning.element)(&case.inputs, position);
        let Some(&found) = found.get(position) else { continue };
        compare(&case.meaning, position, f64::from(found), expected)?;
    }
    Ok(())
}

/// Compares a result with another one that was checked, at every position.
pub(crate) fn against_checked(meaning: &Meaning, found: &[f32], checked: &[f32]) -> Result<(), String> {
    if found.len() != checked.len() {
        return Err(format!("{} elements instead of {}", found.len(), checked.len()));
    }
    let pairs = found.iter().zip(checked).enumerate();
    pairs.into_iter().try_for_each(|(position, (&found, &checked))| {
        compare(meaning, position, f64::from(found), f64::from(checked))
    })
}

fn compare(meaning: &Meaning, position: usize, found: f64, expected: f64) -> Result<(), String> {
    // Written so that a NaN is a difference.
    if (found - expected).abs() <= meaning.tolerance * expected.abs().max(meaning.magnitude) {
        return Ok(());
    }
    Err(format!("element {position} is {found} instead of {expected}"))
}

/// Positions spread over a result, including its first and last elements; all of them if `count` allows it.
fn positions(length: usize, count: usize) -> impl Iterator<Item = usize> {
    let spread = length.saturating_sub(1).max(1);
    // An odd distance, so that the positions fall into different rows and columns.
    let step = (spread / count.max(1)).max(1) | 1;
    let step = if count >= length { 1 } else { step };
    (0..length).step_by(step).chain(length.checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Input, Work};

    fn case(tolerance: f64) -> Case {
        let double =
            |inputs: &[Input], position: usize| inputs.first().map_or(f64::NAN, |a| a.at(position) * 2.0);
        Case {
            inputs: vec![Input { shape: vec![3], elements: vec![1.0, 2.0, 3.0] }],
            outputs: vec![3],
            meaning: Meaning { tolerance, ..Meaning::exact(1, double) },
            work: Work::Bytes(24.0),
            pairs: Vec::new(),
            high_level: None,
        }
    }

    #[test]
    fn a_difference_is_named_with_its_position() {
        assert_eq!(against_meaning(&case(0.0), &[2.0, 4.0, 6.0]), Ok(()));
        let error = against_meaning(&case(0.0), &[2.0, 4.5, 6.0]).expect_err("4.5 is not 4");
        assert_eq!(error, "element 1 is 4.5 instead of 4");
        assert!(against_meaning(&case(0.0), &[2.0, 4.0]).is_err());
    }

    #[test]
    fn the_tolerance_is_relative_and_never_admits_nan() {
        assert_eq!(against_meaning(&case(0.01), &[2.0, 4.03, 6.0]), Ok(()));
        assert!(against_meaning(&case(0.01), &[2.0, 4.05, 6.0]).is_err());
        assert!(against_meaning(&case(0.01), &[2.0, f32::NAN, 6.0]).is_err());
    }

    #[test]
    fn samples_contain_both_ends_and_small_results_are_checked_whole() {
        let sample: Vec<usize> = positions(1000, 10).collect();
        assert!(sample.len() >= 9 && sample.first() == Some(&0) && sample.last() == Some(&999));
        let whole: Vec<usize> = positions(5, 8).collect();
        assert_eq!(whole, [0, 1, 2, 3, 4, 4]);
    }
}
