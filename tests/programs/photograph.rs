//! The Gaussian filter of the thesis on the photograph that comes with the examples, and grids of a million
//! elements.

use std::path::Path;

use crate::common::grid;
use lift::lift;
use lift::ndarray::Array2;

include!("../../corpus/programs/photograph.rs");

/// Definition 2.19.
const GAUSSIAN: [f32; 9] =
    [0.077847, 0.123317, 0.077847, 0.123317, 0.195346, 0.123317, 0.077847, 0.123317, 0.077847];

/// The same filter as a plain loop.
fn gaussian_loop(a: &Array2<f32>) -> Array2<f32> {
    let nearby = |at: usize, offset: usize, length: usize| (at + offset).saturating_sub(1).min(length - 1);
    Array2::from_shape_fn(a.dim(), |(y, x)| {
        let taps = (0..9).map(|tap| (tap, nearby(y, tap / 3, a.nrows()), nearby(x, tap % 3, a.ncols())));
        taps.map(|(tap, row, column)| GAUSSIAN[tap] * a[(row, column)]).sum()
    })
}

fn assert_close(found: &Array2<f32>, expected: &Array2<f32>, tolerance: f32) {
    assert_eq!(found.dim(), expected.dim());
    let worst = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst <= tolerance, "wrong by {worst}");
}

#[test]
fn gaussian3_blurs_every_channel_of_a_photograph() -> Result<(), Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/photograph.jpg");
    let photograph = image::open(path)?.into_rgb8();
    let (width, height) = photograph.dimensions();
    for channel in 0..3 {
        let pixels = Array2::from_shape_fn((height as usize, width as usize), |(y, x)| {
            f32::from(photograph.get_pixel(x as u32, y as u32)[channel])
        });
        let blurred = gaussian3(&GAUSSIAN, &pixels)?;
        assert_close(&blurred, &gaussian_loop(&pixels), 1e-3);
        assert!(roughness(&blurred) < 0.7 * roughness(&pixels));
    }
    Ok(())
}

/// The mean difference between neighbours in a row.
fn roughness(pixels: &Array2<f32>) -> f32 {
    let differences = pixels
        .rows()
        .into_iter()
        .flat_map(|row| row.to_vec().windows(2).map(|pair| (pair[0] - pair[1]).abs()).collect::<Vec<_>>());
    differences.sum::<f32>() / pixels.len() as f32
}

#[test]
fn gaussian3_is_right_on_large_grids_that_no_work_group_divides() -> lift::Result<()> {
    for shape in [(1000, 1001), (1001, 1000)] {
        let a = grid(shape);
        assert_close(&gaussian3(&GAUSSIAN, &a)?, &gaussian_loop(&a), 1e-3);
    }
    Ok(())
}
