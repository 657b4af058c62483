//! Blurs a photograph with two Gaussian filters on the default device, and checks every pixel.
//!
//! ```text
//! cargo run --release --example blur -- [picture.jpg or .png] [result.png]
//! ```
//!
//! The narrow filter has the 3x3 weights of Hagedorn's thesis (definition 2.19). The wide one has 17x17
//! weights and is separable: 17 weights along the rows and then along the columns, where the result of the
//! first half stays on the device.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use image::RgbImage;
use lift::ndarray::{Array2, ArrayView2};
use lift::{Device, lift};

lift! {
    /// Every pixel becomes the weighted sum of its 3x3 neighbourhood; borders are repeated.
    pub fn narrow<const H: usize, const W: usize>(weights: [f32; 9], image: [[f32; W]; H]) -> [[f32; W]; H] {
        image >> pad2(1, 1, clamp) >> slide2(3, 1)
              >> map2(|nbh| zip(join(nbh), weights) >> map(mult) >> reduce(add, 0))
    }

    /// Every pixel becomes the weighted sum of 17 pixels of its row.
    pub fn wide_rows<const H: usize, const W: usize>(weights: [f32; 17], image: [[f32; W]; H]) -> [[f32; W]; H] {
        image >> map(|row| row >> pad(8, 8, clamp) >> slide(17, 1)
                               >> map(|nbh| zip(nbh, weights) >> map(mult) >> reduce(add, 0)))
    }

    /// Every pixel becomes the weighted sum of 17 pixels of its column.
    pub fn wide_columns<const H: usize, const W: usize>(weights: [f32; 17], image: [[f32; W]; H]) -> [[f32; W]; H] {
        image >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(17, 1, 1, 1)
              >> map2(|nbh| zip(join(nbh), weights) >> map(mult) >> reduce(add, 0))
    }
}

/// The weights of definition 2.19 for a standard deviation of 1. They add up to 1 but for rounding.
const NARROW: [f32; 9] =
    [0.077847, 0.123317, 0.077847, 0.123317, 0.195346, 0.123317, 0.077847, 0.123317, 0.077847];

/// Results may differ in rounding, as the order of additions is not fixed. Pixels lie between 0 and 1.
const TOLERANCE: f32 = 1e-5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/photograph.jpg");
    let path = arguments.next().map_or(shipped, Into::into);
    let target = arguments.next().unwrap_or_else(|| "blurred.png".to_owned());

    let photograph = image::open(&path)?.into_rgb8();
    let device = Device::default_device()?;
    println!("device      {}", device.name());
    println!("photograph  {} ({} x {} pixels)", path.display(), photograph.width(), photograph.height());

    let wide_weights = gaussian_weights::<17>(3.0);
    let narrow = narrow::on(&device)?;
    let rows = wide_rows::on(&device)?;
    let columns = wide_columns::on(&device)?;
    let weights_on_device = device.upload(&wide_weights)?;

    let mut channels = Vec::new();
    let mut times = [Duration::ZERO; 3];
    let started = Instant::now();
    for channel in split_channels(&photograph) {
        let (softened, profile) = narrow.profile(&NARROW, &channel)?;
        times[0] += profile.total();
        check(&softened, &convolve(&channel, &NARROW, 3, 3), "3x3")?;

        // The photograph is uploaded once and comes back once; the blurred rows stay on the device.
        let half_blurred = rows.enqueue(&weights_on_device, &device.upload(&channel)?)?;
        let blurred = columns.enqueue(&weights_on_device, &half_blurred)?.download()?;

        let (blurred_rows, profile) = rows.profile(&wide_weights, &channel)?;
        times[1] += profile.total();
        check(&blurred_rows, &convolve(&channel, &wide_weights, 1, 17), "rows")?;
        let (expected, profile) = columns.profile(&wide_weights, &blurred_rows)?;
        times[2] += profile.total();
        check(&blurred, &expected, "device arrays")?;
        check(&blurred, &convolve(&blurred_rows, &wide_weights, 17, 1), "columns")?;
        channels.push(blurred);
    }

    for (name, time) in ["3x3", "17 in rows", "17 in columns"].iter().zip(times) {
        println!("kernels     {:>9.3} ms  {name}, three channels", time.as_secs_f64() * 1e3);
    }
    println!(
        "checked     every pixel against a plain Rust loop, {:.1} s in all",
        started.elapsed().as_secs_f64()
    );
    merge_channels(&channels, &photograph).save(&target)?;
    println!("written     {target}");
    Ok(())
}

/// The values of a Gaussian at `N` positions around its centre, scaled to add up to 1.
fn gaussian_weights<const N: usize>(standard_deviation: f32) -> [f32; N] {
    let middle = (N as f32 - 1.0) / 2.0;
    let weights: [f32; N] =
        std::array::from_fn(|i| (-((i as f32 - middle) / standard_deviation).powi(2) / 2.0).exp());
    let total: f32 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// Red, green and blue, each with values from 0 to 1.
fn split_channels(photograph: &RgbImage) -> [Array2<f32>; 3] {
    let (width, height) = photograph.dimensions();
    std::array::from_fn(|channel| {
        Array2::from_shape_fn((height as usize, width as usize), |(y, x)| {
            f32::from(photograph.get_pixel(x as u32, y as u32)[channel]) / 255.0
        })
    })
}

fn merge_channels(channels: &[Array2<f32>], photograph: &RgbImage) -> RgbImage {
    RgbImage::from_fn(photograph.width(), photograph.height(), |x, y| {
        let value = |channel: usize| (channels[channel][(y as usize, x as usize)] * 255.0).round() as u8;
        image::Rgb([value(0), value(1), value(2)])
    })
}

/// The same filter as a plain loop: `height` x `width` weights, borders repeated.
fn convolve(image: &Array2<f32>, weights: &[f32], height: usize, width: usize) -> Array2<f32> {
    let clamped = |position: usize, offset: usize, radius: usize, length: usize| {
        (position + offset).saturating_sub(radius).min(length - 1)
    };
    Array2::from_shape_fn(image.dim(), |(y, x)| {
        let mut sum = 0.0;
        for dy in 0..height {
            let row = clamped(y, dy, height / 2, image.nrows());
            for dx in 0..width {
                let column = clamped(x, dx, width / 2, image.ncols());
                sum += weights[dy * width + dx] * image[(row, column)];
            }
        }
        sum
    })
}

fn check(found: &Array2<f32>, expected: &Array2<f32>, what: &str) -> Result<(), String> {
    let difference = largest_difference(found.view(), expected.view());
    if found.dim() == expected.dim() && difference <= TOLERANCE {
        Ok(())
    } else {
        Err(format!("{what}: the device's result is wrong by up to {difference}"))
    }
}

fn largest_difference(a: ArrayView2<f32>, b: ArrayView2<f32>) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}
