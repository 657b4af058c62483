//! What is measured: a computation with its inputs, its meaning, and pairs of kernels with one structure.

use crate::generated::Generated;
use crate::options::Level;
use crate::plan::Plan;

/// A computation at one size. Its inputs are made when it is measured.
pub(crate) struct Benchmark {
    /// The computation.
    pub(crate) name: &'static str,
    /// Its size, as shown.
    pub(crate) size: String,
    /// Makes the inputs and the plans.
    pub(crate) make: Box<dyn Fn() -> Case>,
}

impl Benchmark {
    pub(crate) fn new(
        name: &'static str,
        size: impl ToString,
        make: impl Fn() -> Case + 'static,
    ) -> Benchmark {
        Benchmark { name, size: size.to_string(), make: Box::new(make) }
    }
}

/// A computation with its inputs.
pub(crate) struct Case {
    /// The inputs, to which plans and programs refer by position.
    pub(crate) inputs: Vec<Input>,
    /// The number of elements of each result.
    pub(crate) outputs: Vec<usize>,
    /// What the results are, one after the other.
    pub(crate) meaning: Meaning,
    /// What one call moves or computes.
    pub(crate) work: Work,
    /// Programs, each beside the kernels by hand of its structure. The last has the structure that is best by
    /// hand.
    pub(crate) pairs: Vec<Pair>,
    /// The program that says nothing of work-items; none if `pairs` has it.
    pub(crate) high_level: Option<Generated>,
}

impl Case {
    /// The case with pairs of this level.
    pub(crate) fn at(mut self, level: Level) -> Case {
        match level {
            Level::OpenCl => {}
            Level::High => {
                if let Some(program) = self.high_level.take() {
                    let best = self.pairs.pop();
                    self.pairs = best.map(|best| Pair { program, ..best }).into_iter().collect();
                }
            }
        }
        self
    }
}

/// A dense array of `f32`.
pub(crate) struct Input {
    /// The lengths, outermost first.
    pub(crate) shape: Vec<usize>,
    /// The elements, row by row.
    pub(crate) elements: Vec<f32>,
}

/// The results, one after the other, as a plain computation on the processor: each element by itself.
pub(crate) struct Meaning {
    /// The element at a position.
    pub(crate) element: Element,
    /// The approximate number of operations for one element, which decides how many elements are checked.
    pub(crate) operations: usize,
    /// The largest correct difference, relative to the expected value. It is zero if `f32` holds all
    /// intermediate values exactly, whatever the order of the operations.
    pub(crate) tolerance: f64,
    /// Smaller values are compared as if they were as large as this, for sums of terms that cancel.
    pub(crate) magnitude: f64,
}

/// An element of the results as a function of the inputs and its position.
pub(crate) type Element = Box<dyn Fn(&[Input], usize) -> f64>;

/// The least that one call does, from which rates are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Work {
    /// Bytes read and written, each array once.
    Bytes(f64),
    /// Floating-point operations.
    Operations(f64),
}

/// A program and what it is compared with.
pub(crate) struct Pair {
    /// By hand: the kernels of the program's structure, or, for a program that has none, all that may be the
    /// best at this size. The fastest counts.
    pub(crate) by_hand: Vec<ByHand>,
    /// The `lift!` program.
    pub(crate) program: Generated,
}

/// Kernels as an expert writes them.
#[derive(Clone)]
pub(crate) struct ByHand {
    /// Their structure.
    pub(crate) structure: &'static str,
    /// The kernels.
    pub(crate) plan: Plan,
}

impl Input {
    /// An array of whole numbers between -4 and 4 without zero, the same in every run. Sums of their products
    /// are exact.
    pub(crate) fn whole_numbers(seed: u32, shape: &[usize]) -> Input {
        const VALUES: [f32; 8] = [-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0];
        let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
        let elements =
            (0..shape.iter().product()).map(|_| VALUES[(next(&mut state) >> 29) as usize]).collect();
        Input { shape: shape.to_vec(), elements }
    }

    /// An array of numbers between -1 and 1, the same in every run.
    pub(crate) fn fractions(seed: u32, shape: &[usize]) -> Input {
        Input::between(-1.0, 1.0, seed, shape)
    }

    /// An array of numbers from `least` on and below `most`, the same in every run.
    pub(crate) fn between(least: f32, most: f32, seed: u32, shape: &[usize]) -> Input {
        let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
        let elements = (0..shape.iter().product())
            .map(|_| (next(&mut state) >> 8) as f32 / (1 << 24) as f32 * (most - least) + least)
            .collect();
        Input { shape: shape.to_vec(), elements }
    }

    /// The element at a position; NaN, which equals no result, if there is none.
    pub(crate) fn at(&self, position: usize) -> f64 {
        self.elements.get(position).copied().map_or(f64::NAN, f64::from)
    }
}

/// A linear congruential generator; its high bits are good enough for inputs.
fn next(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *state
}

impl Meaning {
    /// The meaning of a result that must be met exactly.
    pub(crate) fn exact(operations: usize, element: impl Fn(&[Input], usize) -> f64 + 'static) -> Meaning {
        Meaning { element: Box::new(element), operations, tolerance: 0.0, magnitude: 0.0 }
    }
}

impl Pair {
    /// A pair of a hand-written and a generated kernel.
    pub(crate) fn new(structure: &'static str, plan: Plan, program: Generated) -> Pair {
        Pair { by_hand: vec![ByHand { structure, plan }], program }
    }

    /// The structures by hand, as one text.
    pub(crate) fn structures(&self) -> String {
        let structures: Vec<&str> = self.by_hand.iter().map(|by_hand| by_hand.structure).collect();
        structures.join("; ")
    }
}
