//! The stencil programs of Hagedorn's thesis and of CGO 2018, end to end: macro, driver, device, against
//! plain loops.

use crate::common::{Border, SHAPES, SIZES, cells, convolve_windows, grid, samples, weights};
use lift::ndarray::{Array2, arr2};
use lift::{Result, lift};

include!("../../corpus/programs/thesis.rs");

#[test]
fn the_founding_example_sums_neighbourhoods() -> Result<()> {
    assert_eq!(founding(&[1.0, 2.0, 3.0, 4.0, 5.0])?.to_vec(), [4.0, 6.0, 9.0, 12.0, 14.0]);
    for n in SIZES {
        let a = samples(n);
        let expected = convolve_windows(&Border::Clamp.pad(1, 1, &a), &[1.0; 3]);
        assert_eq!(founding(&a)?, expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn heat_diffuses() -> Result<()> {
    for n in SIZES {
        let a = samples(n);
        let cs = [0.125, 0.75, 0.125];
        let expected = convolve_windows(&Border::Clamp.pad(1, 1, &a), &cs);
        assert_eq!(heat(&cs, &a)?, expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn a_convolution_with_17_weights_repeats_the_border() -> Result<()> {
    for n in SIZES {
        let (a, ws) = (samples(n), weights::<17>());
        let expected = convolve_windows(&Border::Clamp.pad(8, 8, &a), &ws);
        assert_eq!(convolve_clamp(&ws, &a)?, expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn a_convolution_with_17_weights_mirrors_the_border_even_when_it_is_wider_than_the_array() -> Result<()> {
    for n in SIZES {
        let (a, ws) = (samples(n), weights::<17>());
        let expected = convolve_windows(&Border::Mirror.pad(8, 8, &a), &ws);
        assert_eq!(convolve_mirror(&ws, &a)?, expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn a_convolution_with_17_weights_wraps_around_even_when_the_border_is_wider_than_the_array() -> Result<()> {
    for n in SIZES {
        let (a, ws) = (samples(n), weights::<17>());
        let expected = convolve_windows(&Border::Wrap.pad(8, 8, &a), &ws);
        assert_eq!(convolve_wrap(&ws, &a)?, expected, "{n} elements");
    }
    Ok(())
}

#[test]
fn a_convolution_with_17_weights_takes_a_constant_beyond_the_border() -> Result<()> {
    for n in SIZES {
        let (a, ws) = (samples(n), weights::<17>());
        let padded = [vec![2.5; 8], a.clone(), vec![2.5; 8]].concat();
        assert_eq!(convolve_constant(&ws, &a)?, convolve_windows(&padded, &ws), "{n} elements");
    }
    Ok(())
}

#[test]
fn mirror_and_wrap_pad_as_in_the_thesis() -> Result<()> {
    let letters = b"abcdefg".to_vec();
    assert_eq!(lift!(pad(1, 2, mirror, letters))?.to_vec(), b"aabcdefggf");
    assert_eq!(lift!(pad(1, 2, wrap, letters))?.to_vec(), b"gabcdefgab");
    assert_eq!(lift!(pad(1, 2, clamp, letters))?.to_vec(), b"aabcdefggg");
    Ok(())
}

#[test]
fn figure_6_pads_a_matrix_with_repeated_rows_and_wrapped_columns() -> Result<()> {
    let a = arr2(&[*b"abcd", *b"efgh", *b"ijkl", *b"mnop"]);
    let padded = lift!(pad2d(1, 2, 1, 2, clamp, wrap, a))?;
    let expected = [b"dabcdab", b"dabcdab", b"hefghef", b"lijklij", b"pmnopmn", b"pmnopmn", b"pmnopmn"];
    assert_eq!(padded, arr2(&expected.map(|row| *row)));

    let composed = lift!(a >> pad(1, 2, clamp) >> transpose >> pad(1, 2, wrap) >> transpose)?;
    assert_eq!(composed, padded);
    Ok(())
}

#[test]
fn figure_7_slides_over_both_dimensions_of_a_matrix() -> Result<()> {
    let a = arr2(&[*b"abc", *b"def", *b"ghi"]);
    let windows = lift!(slide2d(2, 1, 2, 1, a))?;
    assert_eq!(windows.shape(), [2, 2, 2, 2]);
    let text: Vec<u8> = windows.iter().copied().collect();
    assert_eq!(text, b"abdebcefdeghefhi");

    let composed = lift!(a >> slide(2, 1) >> map(|rows| rows >> transpose >> slide(2, 1) >> map(transpose)))?;
    assert_eq!(composed, windows);
    Ok(())
}

#[test]
fn jacobi9_sums_mirrored_neighbourhoods() -> Result<()> {
    for shape in SHAPES {
        let a = grid(shape);
        assert_eq!(jacobi9(&a)?, Border::Mirror.convolve(&a, &[1.0; 9], 3, 3), "{shape:?}");
    }
    Ok(())
}

#[test]
fn cells_are_born_survive_and_die() -> Result<()> {
    for shape in SHAPES {
        let a = cells(shape);
        let neighbours = Border::Mirror.convolve(&a.mapv(|cell| cell as f32), &[1.0; 9], 3, 3);
        let expected = neighbours.mapv(|sum| i32::from(1.0 < sum && sum < 4.0));
        assert_eq!(game_of_life(&a)?, expected, "{shape:?}");
    }
    // A user function is a Rust function, too.
    assert_eq!([0, 1, 2, 3, 4].map(survive), [0, 0, 1, 1, 0]);
    Ok(())
}

#[test]
fn gaussian3_weighs_neighbourhoods_with_repeated_borders() -> Result<()> {
    for shape in SHAPES {
        let (a, ws) = (grid(shape), weights::<9>());
        assert_eq!(gaussian3(&ws, &a)?, Border::Clamp.convolve(&a, &ws, 3, 3), "{shape:?}");
    }
    Ok(())
}

#[test]
fn sobel_is_the_same_from_its_separable_pair_and_from_3x3_weights() -> Result<()> {
    const SMOOTH: [f32; 3] = [1.0, 2.0, 1.0];
    const SLOPE: [f32; 3] = [-1.0, 0.0, 1.0];
    let product =
        |column: [f32; 3], row: [f32; 3]| -> [f32; 9] { std::array::from_fn(|i| column[i / 3] * row[i % 3]) };
    let (wx, wy) = (product(SMOOTH, SLOPE), product(SLOPE, SMOOTH));
    for shape in SHAPES {
        let a = grid(shape);
        let x = Border::Clamp.convolve(&a, &wx, 3, 3);
        let y = Border::Clamp.convolve(&a, &wy, 3, 3);
        assert_eq!(sobel_columns(&SMOOTH, &sobel_rows(&SLOPE, &a)?)?, x, "{shape:?}");
        assert_eq!(sobel_columns(&SLOPE, &sobel_rows(&SMOOTH, &a)?)?, y, "{shape:?}");

        let expected = Array2::from_shape_fn(a.dim(), |at| length(x[at], y[at]));
        for found in [sobel_magnitude(&x, &y)?, sobel(&wx, &wy, &a)?] {
            let close = found
                .iter()
                .zip(&expected)
                .all(|(found, expected)| (found - expected).abs() <= expected * 1e-6);
            assert!(close, "{shape:?}");
        }
    }
    Ok(())
}
