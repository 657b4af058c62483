//! The two-dimensional stencils of Hagedorn, Stoltzfus, Steuwer, Gorlatch, Dubach, CGO 2018, table 1, against
//! plain loops.

use crate::common::{Border, SHAPES, grid, weights};
use lift::ndarray::Array2;
use lift::{Device, Result, lift};

include!("../../corpus/programs/stencils.rs");

/// Shapes that tiles of 4x8 divide.
const TILED: [(usize, usize); 3] = [(4, 8), (8, 40), (36, 16)];

/// The value of every point, computed in double precision from what stands around it.
fn around(
    a: &Array2<f32>,
    value: impl Fn(&dyn Fn(isize, isize) -> f64, (usize, usize)) -> f64,
) -> Array2<f64> {
    let (rows, columns) = a.dim();
    Array2::from_shape_fn((rows, columns), |(y, x)| {
        let read = |down: isize, right: isize| {
            let row = Border::Clamp.resolve(y as isize + down, rows);
            f64::from(a[(row, Border::Clamp.resolve(x as isize + right, columns))])
        };
        value(&read, (y, x))
    })
}

fn assert_close(found: &Array2<f32>, expected: &Array2<f64>, what: &str) {
    assert_eq!(found.dim(), expected.dim(), "{what}");
    for (at, expected) in expected.indexed_iter() {
        let found = f64::from(found[at]);
        assert!(
            (found - expected).abs() <= 2e-5 * expected.abs().max(0.05),
            "{what}, {at:?}: {found}, {expected}"
        );
    }
}

#[test]
fn shocs_stencil_has_three_weights() -> Result<()> {
    let expected = |a: &Array2<f32>| {
        around(a, |n, _| {
            let side = n(-1, 0) + n(1, 0) + n(0, -1) + n(0, 1);
            let corner = n(-1, -1) + n(-1, 1) + n(1, -1) + n(1, 1);
            0.25 * n(0, 0) + 0.125 * side + 0.0625 * corner
        })
    };
    for shape in SHAPES {
        let a = grid(shape);
        assert_close(&stencil2d(0.25, 0.125, 0.0625, &a)?, &expected(&a), &format!("{shape:?}"));
    }
    for shape in TILED {
        let a = grid(shape);
        assert_close(&stencil2d_tiled(0.25, 0.125, 0.0625, &a)?, &expected(&a), &format!("tiled, {shape:?}"));
    }
    Ok(())
}

#[test]
fn speckles_are_reduced() -> Result<()> {
    for shape in SHAPES {
        let image = grid(shape).mapv(|x| x.abs() / 32.0 + 1.0);
        let q0 = 0.25;
        let sides = [(-1, 0), (1, 0), (0, -1), (0, 1)];
        let coefficients = around(&image, |n, _| {
            let centre = n(0, 0);
            let differences = sides.map(|(down, right)| n(down, right) - centre);
            let gradient = differences.iter().map(|d| d * d).sum::<f64>() / (centre * centre);
            let laplacian = differences.iter().sum::<f64>() / centre;
            let q = (0.5 * gradient - laplacian * laplacian / 16.0) / (1.0 + 0.25 * laplacian).powi(2);
            (1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)))).clamp(0.0, 1.0)
        });
        let found = srad1(q0 as f32, &image)?;
        assert_close(&found, &coefficients, &format!("srad1, {shape:?}"));

        let (rows, columns) = image.dim();
        let expected = around(&image, |n, (y, x)| {
            let south = f64::from(found[((y + 1).min(rows - 1), x)]);
            let east = f64::from(found[(y, (x + 1).min(columns - 1))]);
            let own = f64::from(found[(y, x)]);
            let c = n(0, 0);
            c + 0.25
                * 0.5
                * (own * (n(-1, 0) - c) + south * (n(1, 0) - c) + own * (n(0, -1) - c) + east * (n(0, 1) - c))
        });
        assert_close(&srad2(0.5, &image, &found)?, &expected, &format!("srad2, {shape:?}"));
    }
    Ok(())
}

#[test]
fn a_chip_heats_up() -> Result<()> {
    for shape in SHAPES {
        let (temperature, power) = (grid(shape), grid((shape.0, shape.1)).mapv(|x| x.abs()));
        let expected = around(&temperature, |n, at| {
            let t = n(0, 0);
            let (x, y) = ((n(0, -1) + n(0, 1) - 2.0 * t) * 0.25, (n(-1, 0) + n(1, 0) - 2.0 * t) * 0.5);
            t + 0.125 * (f64::from(power[at]) + y + x + (80.0 - t) * 0.0625)
        });
        let found = hotspot2d(0.125, 0.25, 0.5, 0.0625, 80.0, &temperature, &power)?;
        assert_close(&found, &expected, &format!("{shape:?}"));
    }
    Ok(())
}

#[test]
fn five_by_five_weights_reach_over_the_border() -> Result<()> {
    let flat = weights::<25>();
    let w: [[f32; 5]; 5] = std::array::from_fn(|i| std::array::from_fn(|j| flat[5 * i + j]));
    for shape in SHAPES {
        let a = grid(shape);
        assert_eq!(gaussian5(&w, &a)?, Border::Clamp.convolve(&a, &flat, 5, 5), "{shape:?}");
    }
    Ok(())
}

#[test]
fn gradients_have_lengths() -> Result<()> {
    for shape in SHAPES {
        let a = grid(shape).mapv(|x| x / 16.0);
        let expected = around(&a, |n, _| {
            let squares = [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(y, x)| (n(0, 0) - n(y, x)).powi(2));
            (0.5 + squares.iter().sum::<f64>()).sqrt().recip()
        });
        assert_close(&gradient(&a)?, &expected, &format!("{shape:?}"));
    }
    Ok(())
}

#[test]
fn jacobi_steps_follow_each_other_on_the_device() -> Result<()> {
    const FIVE: [f32; 9] = [0.0, 0.25, 0.0, 0.25, 0.5, 0.25, 0.0, 0.25, 0.0];
    let device = Device::default_device()?;
    let (five, nine) = (jacobi2d5::on(&device)?, jacobi2d9::on(&device)?);
    for shape in [(1, 1), (7, 64), (33, 5)] {
        let mut expected = grid(shape);
        // Two buffers would do: a step reads the one that the step before it made, and nothing comes back in
        // between.
        let mut on_device = device.upload(&expected)?;
        for _ in 0..3 {
            on_device = nine.enqueue(&five.enqueue(&on_device)?)?;
            expected = Border::Clamp.convolve(&expected, &FIVE, 3, 3);
            expected = Border::Clamp.convolve(&expected, &[0.125; 9], 3, 3);
        }
        assert_close(&on_device.download()?, &expected.mapv(f64::from), &format!("{shape:?}"));
    }
    Ok(())
}
