//! Programs in one function, and the same programs in several: on the host and on an OpenCL device, compared
//! with plain Rust.
//!
//! All arrays lie in the memory of the device, including those between the functions, and the last result is
//! read back.

mod histogram;
mod network;
mod products;
mod rows;
mod whole;

use std::sync::Arc;

use lift::Device;
use lift::ndarray::Array2;

use crate::computations::{Benchmark, Case, Kind, Make, numbers};

/// All programs; tiny ones only show that everything is correct.
pub(crate) fn all(tiny: bool) -> Vec<Benchmark> {
    let mut benchmarks = Vec::new();
    let mut add = |name, [size, small]: [usize; 2], make: fn(usize, &[Place]) -> lift::Result<Case>| {
        let n = if tiny { small } else { size };
        let make: Make = Box::new(move |host, opencl| make(n, &places(host, opencl)));
        benchmarks.push(Benchmark { name, size: n.to_string(), make });
    };
    add("counts of 256 values", [200_000, 1000], histogram::counts);
    add("ranks by 256 counts", [200_000, 1000], histogram::ranks);
    add("histogram of parts", [1 << 20, 2048], histogram::of_parts);
    add("two layers, 64 to 128 to 10", [512, 5], network::two_layers);
    add("two layers and softmax", [512, 5], network::classified);
    add("attention, 64 numbers", [512, 7], network::attention);
    add("softmax of rows of 768", [2048, 3], rows::softmax);
    add("layer norm of rows of 768", [2048, 3], rows::layer_norm);
    add("rows divided by their norm", [2048, 3], rows::by_norm);
    add("box filter from prefix sums", [2048, 3], rows::box_filter);
    add("Q K^T, 64 numbers", [512, 7], products::scores);
    add("(A B)^T", [512, 9], products::transposed);
    add("A^T B", [512, 9], products::of_transposed);
    add("(A B) C", [256, 9], products::chain);
    add("A^T (A x)", [2048, 9], products::normal);
    add("mean and variance", [1 << 22, 1000], whole::moments);
    add("standardised", [1 << 22, 1000], whole::standardised);
    add("smallest and largest with place", [1 << 22, 1000], whole::extremes);
    add("power iteration, 16 steps", [1024, 9], whole::power_iteration);
    add("17x17 blur, rows and then columns", [1024, 40], whole::blur);
    benchmarks
}

/// A device, and the names of the two forms there.
pub(crate) struct Place {
    device: Device,
    one: Kind,
    parts: Kind,
}

fn places(host: &Device, opencl: Option<&Device>) -> Vec<Place> {
    let host = Place { device: host.clone(), one: Kind::Lift, parts: Kind::InParts };
    let opencl =
        opencl.map(|device| Place { device: device.clone(), one: Kind::OpenCl, parts: Kind::OpenClInParts });
    std::iter::once(host).chain(opencl).collect()
}

fn matrix(salt: u32, rows: usize, columns: usize) -> Arc<Array2<f32>> {
    let numbers = numbers(salt, rows * columns);
    Arc::new(Array2::from_shape_fn((rows, columns), |(y, x)| numbers[y * columns + x]))
}

fn elements(matrix: Array2<f32>) -> Vec<f32> {
    matrix.into_raw_vec_and_offset().0
}

/// A case whose expected result is already computed, in double precision.
fn case(expected: Vec<f64>, tolerance: f64, contestants: Vec<crate::computations::Contestant>) -> Case {
    Case {
        length: expected.len(),
        meaning: Box::new(move |position| expected.get(position).copied().unwrap_or(f64::NAN)),
        tolerance,
        contestants,
    }
}

/// A sum in the form in which a person writes it so that the compiler may compute it side by side.
fn dot(x: &[f32], y: &[f32]) -> f32 {
    const LANES: usize = 16;
    let ((x, x_rest), (y, y_rest)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    let mut sums = [0.0f32; LANES];
    for (x, y) in x.iter().zip(y) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f32>() + x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum::<f32>()
}

/// A product of two numbers in double precision.
fn multiplied(x: &f32, y: &f32) -> f64 {
    f64::from(*x) * f64::from(*y)
}
