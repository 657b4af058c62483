//! Tests every value, and the loop that rustc 1.95 compiles wrongly with `f32::max`.
//!
//! The loops tell the two forms apart in an optimised build only: `scripts/test-in-release.sh` runs them in
//! one.

use std::array;
use std::hint::black_box;

use super::double;
use super::single::{max, min};
use crate::host::instructions::{InstructionSet, Work, on};

#[test]
fn the_other_one_is_taken_where_one_is_nan_and_either_zero_where_both_are_zero() {
    let numbers = [0.0, -0.0, 1.0, -1.0, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::INFINITY];
    let numbers: Vec<f32> = numbers.into_iter().flat_map(|number| [number, -number, f32::NAN]).collect();
    for &x in &numbers {
        for &y in &numbers {
            assert!(same(min(x, y), f32::min(x, y)) && same(max(x, y), f32::max(x, y)), "{x} and {y}");
            let (wide_x, wide_y) = (f64::from(x), f64::from(y));
            assert!(same(double::min(wide_x, wide_y) as f32, min(x, y)), "{x} and {y}");
            assert!(same(double::max(wide_x, wide_y) as f32, max(x, y)), "{x} and {y}");
        }
    }
}

fn same(x: f32, y: f32) -> bool {
    x == y || (x.is_nan() && y.is_nan())
}

/// The elements of a row, and the rows that are reduced side by side.
const ROW: usize = 16;
const LANES: usize = 8;

/// The largest elements of rows, several rows side by side, as code for the host has it.
struct LargestOfRows<'a, F> {
    rows: &'a [f32; ROW * LANES],
    largest: &'a mut [f32; LANES],
    max: F,
}

impl<F: Fn(f32, f32) -> f32> Work for LargestOfRows<'_, F> {
    #[inline(always)]
    fn run(self) {
        let mut accumulators: [f32; LANES] = array::from_fn(|lane| self.rows[ROW * lane]);
        for step in 0..ROW - 1 {
            let mut next = accumulators;
            for lane in 0..LANES {
                next[lane] = (self.max)(accumulators[lane], self.rows[ROW * lane + step + 1]);
            }
            accumulators = next;
        }
        *self.largest = accumulators;
    }
}

/// The positions at which the reduction misses an element that is larger than all others.
fn missed(set: InstructionSet, max: impl Fn(f32, f32) -> f32 + Copy) -> Vec<usize> {
    let finds = |position: usize| {
        let (mut rows, mut largest) = ([1.0; ROW * LANES], [0.0; LANES]);
        rows[position] = 5.0;
        on(set, LargestOfRows { rows: black_box(&rows), largest: &mut largest, max });
        (0..LANES).all(|lane| largest[lane] == if lane == position / ROW { 5.0 } else { 1.0 })
    };
    (0..ROW * LANES).filter(|position| !finds(*position)).collect()
}

#[test]
fn no_step_of_a_reduction_is_lost_with_any_instruction_set() {
    for &set in InstructionSet::available() {
        assert_eq!(missed(set, max), [0; 0], "{set}");
        // Shows when this form of `max` is no longer needed; a correct compiler is no failure.
        let std = missed(set, f32::max);
        println!("{set}: with `f32::max`, {} of {} positions are missed", std.len(), ROW * LANES);
    }
}
