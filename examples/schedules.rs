//! What schedules are worth on a device: the plain form of a kernel beside the one that its schedule makes.
//!
//! ```text
//! cargo run --release --example schedules -- [size]
//! ```
//!
//! Both forms compute with whole numbers, so that their results have to be equal. The times are medians of 15
//! launches, as the device measures them.

use std::error::Error;

use lift::ndarray::Array2;
use lift::{Device, DeviceKind, Profile, Result, lift};

lift! {
    /// The work-items of a group take the elements of a row in turn, and combine what they have by a tree.
    #[schedule(rowsInGroups(128))]
    #[launch(local = 128)]
    fn matrix_vector<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> map(|row| zip(row, x) >> map(mult) >> reduce(add, 0))
    }

    /// A group has a tile of 64x64 results, a work-item 8x4 of them in registers; tiles of both matrices, 8
    /// deep, lie in local memory.
    #[schedule(tileProduct(64, 64, 8, 8, 4))]
    #[launch(local = (16, 8))]
    fn matrix_product<const N: usize, const M: usize, const K: usize>(
        a: [[f32; K]; N],
        b: [[f32; M]; K],
    ) -> [[f32; M]; N] {
        a >> map(|row| b >> transpose >> map(|column| zip(row, column) >> map(mult) >> reduce(add, 0)))
    }

    /// A group copies 48x48 pixels to local memory, and a work-item computes four results one below the
    /// other.
    #[schedule(registerTiles2(48, 48, 20))]
    fn convolution<const N: usize, const M: usize>(a: [[f32; M]; N], weights: [[f32; 17]; 17]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1)
          >> map2(|window| zip(join(window), join(weights)) >> map(mult) >> reduce(add, 0))
    }
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let size = match std::env::args().nth(1) {
        Some(size) => size.parse()?,
        None => 256,
    };
    let device = Device::default_device()?;
    println!("device         {device}, size {size}");
    if device.kind() == DeviceKind::Host {
        println!("the host computes the plain form of every kernel: there is nothing to compare");
        return Ok(());
    }
    let a = matrix(size, 3);
    let b = matrix(size, 5);
    let x = vec![2.0; size];
    let weights = [[1.0; 17]; 17];
    let kernel = matrix_vector::on(&device)?;
    compare("matrix_vector", |form| {
        let (result, profile) = kernel.clone().form(form)?.profile(&a, &x)?;
        Ok((result.to_vec(), profile))
    })?;
    let kernel = matrix_product::on(&device)?;
    compare("matrix_product", |form| {
        let (result, profile) = kernel.clone().form(form)?.profile(&a, &b)?;
        Ok((result.into_iter().collect(), profile))
    })?;
    let kernel = convolution::on(&device)?;
    compare("convolution", |form| {
        let (result, profile) = kernel.clone().form(form)?.profile(&a, &weights)?;
        Ok((result.into_iter().collect(), profile))
    })?;
    Ok(())
}

/// Small whole numbers.
fn matrix(size: usize, factor: usize) -> Array2<f32> {
    Array2::from_shape_fn((size, size), |(row, column)| ((row * factor + column) % 7) as f32)
}

/// Prints the times of both forms, whose results have to be equal, or why the device cannot compute the
/// second one for this size.
fn compare(
    name: &str,
    run: impl Fn(&str) -> Result<(Vec<f32>, Profile)>,
) -> std::result::Result<(), Box<dyn Error>> {
    let (expected, _) = run("plain")?;
    match run("scheduled") {
        Ok((result, _)) if result != expected => {
            return Err(format!("`{name}` computes something else in the form `scheduled`").into());
        }
        Ok(_) => {}
        Err(error) => {
            println!("{name:14} {error}");
            return Ok(());
        }
    }
    let (plain, scheduled) = (median(|| run("plain"))?, median(|| run("scheduled"))?);
    let times = plain / scheduled;
    println!("{name:14} plain {plain:9.4} ms, scheduled {scheduled:9.4} ms, {times:5.2} times as fast");
    Ok(())
}

/// The median of the times of several calls, in milliseconds.
fn median(call: impl Fn() -> Result<(Vec<f32>, Profile)>) -> Result<f64> {
    let milliseconds = |profile: Profile| {
        profile.kernels.iter().map(|kernel| kernel.duration.as_secs_f64() * 1e3).sum::<f64>()
    };
    let mut times = Vec::new();
    for _ in 0..15 {
        times.push(milliseconds(call()?.1));
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
