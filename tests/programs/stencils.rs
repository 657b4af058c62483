//! The two-dimensional stencils of Hagedorn, Stoltzfus, Steuwer, Gorlatch, Dubach, CGO 2018, table 1, against plain loops.

use crate::common::{Border, SHAPES, grid, weights};
use lift::ndarray::Array2;
use lift::{Device, Result, lift};

lift! {
    /// An element of a window.
    fn cell<const H: usize, const W: usize>(window: [[f32; W]; H], row: size, column: size) -> f32 {
        window >> at(row) >> at(column)
    }

    /// A weight for the centre, one for its neighbours, one for the corners (SHOC).
    fn stencil2d<const N: usize, const M: usize>(centre: f32, side: f32, corner: f32, a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n|
            centre * cell(n, 1, 1)
                + side * (cell(n, 0, 1) + cell(n, 1, 0) + cell(n, 1, 2) + cell(n, 2, 1))
                + corner * (cell(n, 0, 0) + cell(n, 0, 2) + cell(n, 2, 0) + cell(n, 2, 2)))
    }

    /// The same with a tile of a work-group in local memory, as in SHOC's kernel.
    fn stencil2d_tiled<const N: usize, const M: usize>(centre: f32, side: f32, corner: f32, a: [[f32; M]; N]) -> [[f32; M]; N]
    where N % 4 == 0, M % 8 == 0
    {
        a >> pad2(1, 1, clamp) >> slide2d(6, 4, 10, 8) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2(3, 1) >> mapLcl1(mapLcl0(|n|
                zip(join(n), [corner, side, corner, side, centre, side, corner, side, corner])
                    >> reduceSeqUnroll(|acc, (x, w)| acc + x * w, 0) >> toGlobal(id)))
        )) >> untile
    }

    /// How strongly a pixel exchanges with its neighbours (Rodinia's speckle reducing anisotropic diffusion, first kernel).
    fn srad1<const N: usize, const M: usize>(q0: f32, image: [[f32; M]; N]) -> [[f32; M]; N] {
        image >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| {
            let centre = cell(n, 1, 1);
            let north = cell(n, 0, 1) - centre;
            let south = cell(n, 2, 1) - centre;
            let west = cell(n, 1, 0) - centre;
            let east = cell(n, 1, 2) - centre;
            coefficient(q0, centre, north + south + west + east, north * north + south * south + west * west + east * east)
        })
    }

    fn coefficient(q0: f32, centre: f32, sum: f32, squares: f32) -> f32 {
        let gradient = squares / (centre * centre);
        let laplacian = sum / centre;
        let numerator = 0.5 * gradient - (1.0 / 16.0) * (laplacian * laplacian);
        let denominator = 1 + 0.25 * laplacian;
        let q = numerator / (denominator * denominator);
        clampv(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0, 1)
    }

    /// A pixel after the exchange (second kernel): two grids, whose neighbourhoods are zipped.
    fn srad2<const N: usize, const M: usize>(rate: f32, image: [[f32; M]; N], coefficients: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2(image >> pad2(1, 1, clamp) >> slide2(3, 1), coefficients >> pad2(1, 1, clamp) >> slide2(3, 1))
            >> map2(|(n, c)| {
                let centre = cell(n, 1, 1);
                let own = cell(c, 1, 1);
                let divergence = own * (cell(n, 0, 1) - centre) + cell(c, 2, 1) * (cell(n, 2, 1) - centre)
                    + own * (cell(n, 1, 0) - centre) + cell(c, 1, 2) * (cell(n, 1, 2) - centre);
                centre + 0.25 * rate * divergence
            })
    }

    /// The temperature of a chip after a step (Rodinia): neighbourhoods of one grid, elements of another.
    fn hotspot2d<const N: usize, const M: usize>(
        step: f32, rx: f32, ry: f32, rz: f32, ambient: f32, temperature: [[f32; M]; N], power: [[f32; M]; N]) -> [[f32; M]; N]
    {
        zip2(temperature >> pad2(1, 1, clamp) >> slide2(3, 1), power) >> map2(|(n, p)| {
            let t = cell(n, 1, 1);
            t + step * (p + (cell(n, 0, 1) + cell(n, 2, 1) - 2 * t) * ry
                + (cell(n, 1, 0) + cell(n, 1, 2) - 2 * t) * rx + (ambient - t) * rz)
        })
    }

    /// 5x5 weights.
    fn gaussian5<const N: usize, const M: usize>(w: [[f32; 5]; 5], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(2, 2, clamp) >> slide2(5, 1) >> map2(|n| zip(join(n), join(w)) >> map(mult) >> reduce(add, 0))
    }

    /// The inverse length of the gradient.
    fn gradient<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| {
            let c = cell(n, 1, 1);
            let squares = [cell(n, 0, 1), cell(n, 1, 0), cell(n, 1, 2), cell(n, 2, 1)]
                >> map(|x| (c - x) * (c - x)) >> reduce(add, 0);
            rsqrt(0.5 + squares)
        })
    }

    fn jacobi2d5<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n|
            0.25 * (cell(n, 0, 1) + cell(n, 1, 0) + cell(n, 1, 2) + cell(n, 2, 1)) + 0.5 * cell(n, 1, 1))
    }

    fn jacobi2d9<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (n >> join >> reduce(add, 0)) * 0.125)
    }
}

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
        // Two buffers would do: a step reads the one that the step before it made, and nothing comes back in between.
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
