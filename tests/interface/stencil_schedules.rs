//! Stencils under the named strategies: on every device, each form computes what the plain one does.

use lift::ndarray::{Array2, Array3};
use lift::{Device, DeviceKind, Result, lift};

lift! {
    #[schedule(paddedTiles2(10, 18, 1))]
    fn padded<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 3]; 3]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1)
          >> map2(|nbh| zip(join(nbh), join(w)) >> map(mult) >> reduce(add, 0))
    }

    #[schedule(unrolledTiles2(10, 16, 5))]
    fn unrolled<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 3]) -> [[f32; M]; N] {
        a >> pad2d(1, 1, 0, 0, mirror, clamp) >> slide2d(3, 1, 1, 1)
          >> map2(|nbh| zip(join(nbh), w) >> map(mult) >> reduce(add, 0))
    }

    /// Each strategy takes the stage that its tiles fit.
    #[schedule(localTiles2(1, 18), transposedTiles2(10, 16))]
    fn separated<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 3]) -> [[f32; M]; N] {
        a >> pad2d(0, 0, 1, 1, clamp, clamp) >> slide2d(1, 1, 3, 1)
          >> map2(|nbh| zip(join(nbh), w) >> map(mult) >> reduce(add, 0))
          >> pad2d(1, 1, 0, 0, clamp, clamp) >> slide2d(3, 1, 1, 1)
          >> map2(|nbh| zip(join(nbh), w) >> map(mult) >> reduce(add, 0))
    }

    /// Windows of one grid and elements of another.
    #[schedule(localTiles2(10, 18))]
    fn heated<const N: usize, const M: usize>(a: [[f32; M]; N], b: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b)
            >> map2(|(n, x)| at(1, at(0, n)) + 2 * at(0, at(1, n)) - at(2, at(1, n)) * x)
    }

    #[schedule(splitBorders)]
    fn in_sections<const N: usize, const M: usize>(a: [[f32; M]; N], b: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2(a >> pad2(2, 1, wrap) >> slide2(4, 1), b)
            >> map(|i => r| r >> map(|j => (n, x)| (n >> join >> reduce(max, -1000)) + x * (2 * i + j) as f32))
    }

    #[schedule(vectors2(4))]
    fn vectors<const N: usize, const M: usize>(a: [[f32; M]; N], b: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2(a >> pad2(1, 1, clamp) >> slide2(3, 1), b)
            >> map2(|(n, x)| if at(1, at(0, n)) < x { at(0, at(1, n)) - at(2, at(1, n)) } else { x })
    }

    #[schedule(rollingRows(4, 6))]
    fn rolling<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1)
          >> map2(|n| at(1, at(0, n)) - at(0, at(1, n)) * at(2, at(1, n)) + at(1, at(2, n)))
    }

    #[schedule(registerTiles2(18, 10, 6))]
    fn registers<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 3]; 3]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1)
          >> map2(|nbh| (zip(join(nbh), join(w)) >> map(mult) >> reduce(add, 0)) * 2 - 1)
    }

    #[schedule(localTiles3(4, 6, 10))]
    fn boxes<const L: usize, const N: usize, const M: usize>(a: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        a >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|n| n >> join >> join >> reduce(add, 0))
    }
}

/// Heights and widths that tiles fit, and that they do not.
const SIZES: [(usize, usize); 5] = [(16, 16), (32, 48), (16, 80), (7, 13), (33, 20)];

fn grid(height: usize, width: usize, seed: usize) -> Array2<f32> {
    Array2::from_shape_fn((height, width), |(i, j)| ((i * 31 + j * 17 + i * j + seed) % 19) as f32 - 9.0)
}

/// Compares both forms of a kernel for all sizes on all devices. The scheduled one is for some of them.
macro_rules! compare {
    ($kernel:ident($($argument:expr),*), $height:ident, $width:ident) => {{
        for device in Device::list()? {
            let plain = $kernel::on(&device)?.form("plain")?;
            let scheduled = $kernel::on(&device)?.form("scheduled")?;
            let mut compared = 0;
            for ($height, $width) in SIZES {
                let expected = plain.run($(&$argument),*)?;
                match scheduled.run($(&$argument),*) {
                    Ok(result) => {
                        assert_eq!(result, expected, "{} x {} on {device}", $height, $width);
                        compared += 1;
                    }
                    Err(_) => assert!($height % 16 != 0 || $width % 16 != 0 || device.kind() == DeviceKind::Host),
                }
            }
            assert!(compared > 0 || device.kind() == DeviceKind::Host, "{device}");
        }
        Ok(())
    }};
}

#[test]
fn tiles_with_gaps_compute_every_size() -> Result<()> {
    compare!(padded(grid(height, width, 1), grid(3, 3, 5)), height, width)
}

#[test]
fn tiles_that_are_copied_in_steps_compute_every_size() -> Result<()> {
    compare!(unrolled(grid(height, width, 1), [2.0_f32, -3.0, 5.0]), height, width)
}

#[test]
fn separated_stages_compute_every_size() -> Result<()> {
    compare!(separated(grid(height, width, 1), [2.0_f32, -3.0, 5.0]), height, width)
}

#[test]
fn tiles_of_two_grids_compute_every_size() -> Result<()> {
    compare!(heated(grid(height, width, 1), grid(height, width, 4)), height, width)
}

#[test]
fn sections_compute_every_size() -> Result<()> {
    compare!(in_sections(grid(height, width, 1), grid(height, width, 4)), height, width)
}

#[test]
fn vectors_compute_every_size() -> Result<()> {
    compare!(vectors(grid(height, width, 1), grid(height, width, 4)), height, width)
}

#[test]
fn rows_that_roll_compute_every_size() -> Result<()> {
    compare!(rolling(grid(height, width, 1)), height, width)
}

#[test]
fn results_in_registers_compute_every_size() -> Result<()> {
    compare!(registers(grid(height, width, 1), grid(3, 3, 5)), height, width)
}

#[test]
fn boxes_compute_every_size() -> Result<()> {
    fn grid3(height: usize, width: usize) -> Array3<f32> {
        Array3::from_shape_fn((4, height, width), |(i, j, k)| ((i * 7 + j * 31 + k * 17) % 19) as f32 - 9.0)
    }
    compare!(boxes(grid3(height, width)), height, width)
}
