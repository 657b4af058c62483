//! What several test programs share: sizes, data on which every order of additions gives the same sum, and
//! the boundary rules of stencils as plain functions.

#![allow(dead_code, reason = "each test program uses its own part of this module")]

use lift::Device;
use lift::ndarray::{Array1, Array2};

/// Lengths that every program must get right: tiny ones, a power of two, and two neighbours that work-groups
/// do not divide.
pub(crate) const SIZES: [usize; 7] = [1, 2, 3, 7, 64, 1000, 1001];

/// Shapes that have each of [`SIZES`] in both dimensions, without the time that a million elements take under
/// a simulator.
pub(crate) const SHAPES: [(usize, usize); 9] =
    [(1, 1), (1, 2), (2, 3), (3, 1), (7, 64), (64, 7), (1000, 2), (2, 1001), (1001, 1)];

/// Whether a device is a simulator, which takes thousands of instructions for each one of a kernel.
pub(crate) fn is_simulated(device: &Device) -> bool {
    device.name().contains("Oclgrind")
}

/// The sizes of a list, but where the default device is a simulator only those up to `most_simulated`: races
/// and accesses out of bounds show at few elements, too.
pub(crate) fn sizes_to_simulate(
    all: &'static [usize],
    most_simulated: usize,
) -> lift::Result<impl Iterator<Item = usize>> {
    let most = if is_simulated(&Device::default_device()?) { most_simulated } else { usize::MAX };
    Ok(all.iter().copied().filter(move |size| *size <= most))
}

/// Small multiples of 1/4 that repeat irregularly: sums and products of a few hundred of them are exact in
/// `f32`.
pub(crate) fn sample(position: usize) -> f32 {
    let mixed = (position as u32).wrapping_mul(2_654_435_761) >> 24;
    (mixed as f32 - 128.0) / 4.0
}

/// Numbers of 32 bits in no order.
pub(crate) fn mixed(position: usize) -> u32 {
    let x = (position as u32).wrapping_add(1).wrapping_mul(2_654_435_761);
    let y = (x ^ x >> 15).wrapping_mul(0x2c1b_3c6d);
    y ^ y >> 13
}

/// A vector of samples.
pub(crate) fn samples(length: usize) -> Vec<f32> {
    (0..length).map(sample).collect()
}

/// A matrix of samples.
pub(crate) fn grid((rows, columns): (usize, usize)) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(y, x)| sample(y * columns + x))
}

/// Zeros and ones in no obvious order.
pub(crate) fn cells((rows, columns): (usize, usize)) -> Array2<i32> {
    grid((rows, columns)).mapv(|value| i32::from(value > 20.0))
}

/// Weights that are multiples of 1/8, so that products with samples are exact.
pub(crate) fn weights<const N: usize>() -> [f32; N] {
    std::array::from_fn(|i| ((i * 5 + 3) % 7) as f32 / 8.0 - 0.25)
}

/// Where a stencil reads when it reaches over the border (Hagedorn's thesis, definitions 2.11 and 2.12).
#[derive(Debug, Clone, Copy)]
pub(crate) enum Border {
    /// The nearest element.
    Clamp,
    /// The reflected one, the border element included, as often as needed.
    Mirror,
    /// The one at the other end.
    Wrap,
}

impl Border {
    /// The position in `0..length` that is read for any `position`. Walks one step at a time, so that it owes
    /// nothing to a formula.
    pub(crate) fn resolve(self, position: isize, length: usize) -> usize {
        let last = length as isize - 1;
        let (mut at, mut direction) = (0, 1);
        for _ in 0..position.unsigned_abs() {
            let outward = at + direction * position.signum();
            let inside = (0..=last).contains(&outward);
            match (inside, self) {
                (true, _) => at = outward,
                (false, Border::Clamp) => {}
                (false, Border::Mirror) => direction = -direction,
                (false, Border::Wrap) => at = if outward < 0 { last } else { 0 },
            }
        }
        at as usize
    }

    /// `pad(left, right, border)` of a slice.
    pub(crate) fn pad(self, left: usize, right: usize, values: &[f32]) -> Vec<f32> {
        (-(left as isize)..(values.len() + right) as isize)
            .map(|position| values[self.resolve(position, values.len())])
            .collect()
    }

    /// The sum of a weighted `height` x `width` neighbourhood around every element.
    pub(crate) fn convolve(
        self,
        values: &Array2<f32>,
        weights: &[f32],
        height: usize,
        width: usize,
    ) -> Array2<f32> {
        let (rows, columns) = values.dim();
        Array2::from_shape_fn((rows, columns), |(y, x)| {
            let mut sum = 0.0;
            for dy in 0..height {
                let row = self.resolve((y + dy) as isize - (height / 2) as isize, rows);
                for dx in 0..width {
                    let column = self.resolve((x + dx) as isize - (width / 2) as isize, columns);
                    sum += weights[dy * width + dx] * values[(row, column)];
                }
            }
            sum
        })
    }
}

/// The sums of weighted windows of a slice.
pub(crate) fn convolve_windows(padded: &[f32], weights: &[f32]) -> Array1<f32> {
    padded
        .windows(weights.len())
        .map(|window| window.iter().zip(weights).map(|(x, w)| x * w).sum::<f32>())
        .collect()
}
