//! The computations.

mod black_scholes;
mod convolution;
mod dot;
mod jacobi;
mod matrix_product;
mod nbody;
mod sparse_product;

use std::time::{Duration, Instant};

use lift::Device;

use crate::clock::Clock;

/// Whose code runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `lift!` on the host.
    Lift,
    /// Rust with `rayon`.
    HandWritten,
    /// `lift!` on an OpenCL device that is a processor.
    OpenCl,
    /// `ndarray` with its default features.
    Ndarray,
    /// The same program in several functions on the host, called one after the other on arrays of the device.
    InParts,
    /// The same on an OpenCL device.
    OpenClInParts,
}

impl Kind {
    pub(crate) const ALL: [Kind; 6] =
        [Kind::Lift, Kind::InParts, Kind::HandWritten, Kind::OpenCl, Kind::OpenClInParts, Kind::Ndarray];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Lift => "`lift!`",
            Kind::HandWritten => "hand-written",
            Kind::OpenCl => "PoCL",
            Kind::Ndarray => "`ndarray`",
            Kind::InParts => "`lift!` in parts",
            Kind::OpenClInParts => "PoCL in parts",
        }
    }
}

/// Makes this number of calls, timed by a clock; returns the last result, and how long each call took on
/// average.
pub(crate) type Run = Box<dyn FnMut(Clock, u32) -> Result<(Vec<f32>, Duration), String>>;

/// Something that computes.
pub(crate) struct Contestant {
    pub(crate) kind: Kind,
    pub(crate) run: Run,
}

/// A computation with its inputs.
pub(crate) struct Case {
    /// The number of elements of the result.
    pub(crate) length: usize,
    /// The element at a position, in double precision.
    pub(crate) meaning: Box<dyn Fn(usize) -> f64>,
    /// The tolerated error of a result: relative, or absolute where it is small.
    pub(crate) tolerance: f64,
    pub(crate) contestants: Vec<Contestant>,
}

/// Makes a case for the host and for an OpenCL device, if there is one.
pub(crate) type Make = Box<dyn Fn(&Device, Option<&Device>) -> lift::Result<Case>>;

/// A computation of some size.
pub(crate) struct Benchmark {
    pub(crate) name: &'static str,
    pub(crate) size: String,
    pub(crate) make: Make,
}

/// All computations; tiny ones only show that everything is correct.
pub(crate) fn all(tiny: bool) -> Vec<Benchmark> {
    let sizes = |sizes: &'static [usize], small: &'static [usize]| if tiny { small } else { sizes };
    let mut benchmarks = Vec::new();
    let mut add = |name,
                   sizes: &[usize],
                   size: fn(usize) -> String,
                   make: fn(usize, &Device, Option<&Device>) -> lift::Result<Case>| {
        for &n in sizes {
            let make: Make = Box::new(move |host, opencl| make(n, host, opencl));
            benchmarks.push(Benchmark { name, size: size(n), make });
        }
    };
    let square = |n: usize| format!("{n}²");
    let power = |n: usize| format!("2^{}", n.ilog2());
    add("matrix product", sizes(&[512, 1024], &[67]), square, matrix_product::case);
    add("5-point Jacobi", sizes(&[2048, 4096], &[67]), square, jacobi::case);
    add("17x17 convolution", sizes(&[1024, 2048], &[67]), square, convolution::case);
    add("dot product", sizes(&[1 << 20, 1 << 24], &[1000]), power, dot::case);
    add("n-body", sizes(&[4096, 16384], &[100]), |n| n.to_string(), nbody::case);
    add("Black-Scholes", sizes(&[1 << 20, 1 << 22], &[1000]), power, black_scholes::case);
    add("sparse product", sizes(&[1 << 18, 1 << 21], &[1000]), power, sparse_product::case);
    benchmarks
}

/// A contestant whose calls are timed as a whole. The result is read after the clock has stopped.
pub(crate) fn timed<R: 'static>(
    kind: Kind,
    mut call: impl FnMut() -> lift::Result<R> + 'static,
    elements: impl Fn(R) -> Vec<f32> + 'static,
) -> Contestant {
    contestant(kind, elements, move || {
        let start = Instant::now();
        let result = call()?;
        Ok((result, start.elapsed()))
    })
}

/// The time of the kernels alone.
fn profiled<R: 'static>(
    mut call: impl FnMut() -> lift::Result<(R, lift::Profile)> + 'static,
    elements: impl Fn(R) -> Vec<f32> + 'static,
) -> Contestant {
    contestant(Kind::OpenCl, elements, move || {
        let (result, profile) = call()?;
        Ok((result, profile.total()))
    })
}

fn contestant<R: 'static>(
    kind: Kind,
    elements: impl Fn(R) -> Vec<f32> + 'static,
    mut call: impl FnMut() -> lift::Result<(R, Duration)> + 'static,
) -> Contestant {
    let run = move |clock: Clock, calls: u32| {
        let mut found = None;
        let time = clock.time(|| {
            let mut total = Duration::ZERO;
            for _ in 0..calls {
                let (result, time) = call().map_err(|error| error.to_string())?;
                found = Some(result);
                total += time;
            }
            Ok(total)
        })?;
        Ok((found.map(&elements).unwrap_or_default(), time / calls.max(1)))
    };
    Contestant { kind, run: Box::new(run) }
}

/// Numbers between -1 and 1 that look random.
pub(crate) fn numbers(salt: u32, count: usize) -> Vec<f32> {
    let number = |position: u32| {
        let mixed = position.wrapping_add(salt).wrapping_mul(2_654_435_761);
        ((mixed ^ (mixed >> 15)).wrapping_mul(0x2c1b_3c6d) >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count as u32).map(number).collect()
}

/// A position moved by an offset, within the array.
pub(crate) fn clamped(position: usize, offset: isize, length: usize) -> usize {
    position.saturating_add_signed(offset).min(length - 1)
}
