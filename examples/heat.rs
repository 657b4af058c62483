//! 1000 time steps of the heat equation on a plate, on device arrays.
//!
//! ```text
//! cargo run --release --example heat -- [result.png]
//! ```
//!
//! The plate is insulated, so that its border repeats and no heat is lost. No temperature leaves the device
//! between the steps, which write into two arrays in turn. The result is checked against a plain Rust loop, and so is the conservation of heat.

use std::error::Error;

use image::{Rgb, RgbImage};
use indicatif::{ProgressBar, ProgressStyle};
use lift::ndarray::Array2;
use lift::{Device, lift};

const HEIGHT: usize = 96;
const WIDTH: usize = 128;
const STEPS: u64 = 1000;

/// The share of the temperature difference that flows to a neighbour in one step; up to 1/4 is stable.
const FLOW: f32 = 0.2;

lift! {
    /// One explicit Euler step: every element moves towards its four neighbours. `weights` are those of a 3x3
    /// neighbourhood, row by row.
    pub fn step<const H: usize, const W: usize>(weights: [f32; 9], plate: [[f32; W]; H]) -> [[f32; W]; H] {
        plate >> pad2(1, 1, clamp) >> slide2(3, 1)
              >> map2(|nbh| zip(weights, join(nbh)) >> map(mult) >> reduce(add, 0))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let target = std::env::args().nth(1).unwrap_or_else(|| "heat.png".to_owned());
    let device = Device::default_device()?;
    println!("device   {}", device.name());
    println!("plate    {WIDTH} x {HEIGHT}, {STEPS} steps");

    let start = hot_spots();
    let kernel = step::on(&device)?;
    let weights: [f32; 9] = [0.0, FLOW, 0.0, FLOW, 1.0 - 4.0 * FLOW, FLOW, 0.0, FLOW, 0.0];
    let weights = device.upload(&weights)?;
    let (mut plate, mut next) = (device.upload(&start)?, device.upload(&start)?);
    let progress = ProgressBar::new(STEPS)
        .with_style(ProgressStyle::with_template("steps    {wide_bar} {pos}/{len} {elapsed}")?);
    for _ in 0..STEPS {
        kernel.enqueue_into(&weights, &plate, &mut next)?;
        std::mem::swap(&mut plate, &mut next);
        progress.inc(1);
    }
    let result = plate.download()?;
    progress.finish();

    let lost = (heat_of(&start) - heat_of(&result)).abs() / heat_of(&start);
    let wrong = largest_difference(&result, &simulate(start));
    println!(
        "checked  {:.4} % of the heat lost to rounding, {wrong:.1e} from a plain Rust loop",
        lost * 100.0
    );
    if lost > 1e-5 || wrong > 1e-3 {
        return Err("the device's result is wrong".into());
    }
    draw(&result).save(&target)?;
    println!("written  {target}");
    Ok(())
}

/// A cold plate with a hot bar and two hot discs, in degrees.
fn hot_spots() -> Array2<f32> {
    Array2::from_shape_fn((HEIGHT, WIDTH), |(y, x)| {
        let disc = |cy: f32, cx: f32, radius: f32| (y as f32 - cy).hypot(x as f32 - cx) < radius;
        let bar = (70..76).contains(&y) && (20..110).contains(&x);
        if bar || disc(30.0, 35.0, 14.0) || disc(36.0, 96.0, 9.0) { 100.0 } else { 0.0 }
    })
}

fn heat_of(plate: &Array2<f32>) -> f64 {
    plate.iter().copied().map(f64::from).sum()
}

/// The same 1000 steps as plain loops.
fn simulate(mut plate: Array2<f32>) -> Array2<f32> {
    for _ in 0..STEPS {
        plate = Array2::from_shape_fn(plate.dim(), |(y, x)| {
            let (up, down) = (y.saturating_sub(1), (y + 1).min(HEIGHT - 1));
            let (left, right) = (x.saturating_sub(1), (x + 1).min(WIDTH - 1));
            let around = plate[(up, x)] + plate[(down, x)] + plate[(y, left)] + plate[(y, right)];
            plate[(y, x)] + FLOW * (around - 4.0 * plate[(y, x)])
        });
    }
    plate
}

fn largest_difference(a: &Array2<f32>, b: &Array2<f32>) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Cold is black, then red, yellow and white; four pixels wide and high per element.
fn draw(plate: &Array2<f32>) -> RgbImage {
    let hottest = plate.iter().copied().fold(0.0, f32::max);
    RgbImage::from_fn(4 * WIDTH as u32, 4 * HEIGHT as u32, |x, y| {
        let warmth = plate[(y as usize / 4, x as usize / 4)] / hottest;
        let channel = |from: f32| (((warmth - from) * 3.0).clamp(0.0, 1.0) * 255.0) as u8;
        Rgb([channel(0.0), channel(1.0 / 3.0), channel(2.0 / 3.0)])
    })
}
