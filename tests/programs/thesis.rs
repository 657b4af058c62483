//! The stencil programs of Hagedorn's thesis and of CGO 2018, end to end: macro, driver, device, against plain loops.

use crate::common::{Border, SHAPES, SIZES, cells, convolve_windows, grid, samples, weights};
use lift::ndarray::{Array2, arr2};
use lift::{Result, lift};

lift! {
    /// The sum of every 3-neighbourhood: the project's founding example.
    fn founding<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a)))
    }

    /// Heat diffusion in one dimension (thesis, example 2.8).
    fn heat<const N: usize>(cs: [f32; 3], a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| zip(cs, nbh) >> map(mult) >> reduce(add, 0))
    }

    fn weighted_sums<const N: usize>(ws: [f32; 17], padded: [f32; N + 16]) -> [f32; N] {
        padded >> slide(17, 1) >> map(|nbh| zip(ws, nbh) >> map(mult) >> reduce(add, 0))
    }

    fn convolve_clamp<const N: usize>(ws: [f32; 17], a: [f32; N]) -> [f32; N] {
        weighted_sums(ws, pad(8, 8, clamp, a))
    }

    fn convolve_mirror<const N: usize>(ws: [f32; 17], a: [f32; N]) -> [f32; N] {
        weighted_sums(ws, pad(8, 8, mirror, a))
    }

    fn convolve_wrap<const N: usize>(ws: [f32; 17], a: [f32; N]) -> [f32; N] {
        weighted_sums(ws, pad(8, 8, wrap, a))
    }

    fn convolve_constant<const N: usize>(ws: [f32; 17], a: [f32; N]) -> [f32; N] {
        weighted_sums(ws, padConstant(8, 8, 2.5, a))
    }

    /// The sum of every 3x3 neighbourhood (thesis, example 2.9).
    fn jacobi9<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, mirror) >> slide2(3, 1) >> map2(|nbh| nbh >> join >> reduce(add, 0))
    }

    /// Whether a cell lives on, given the number of living cells in its neighbourhood.
    fn survive(sum: i32) -> i32 {
        if 1 < sum && sum < 4 { 1 } else { 0 }
    }

    /// Conway's game (thesis, example 2.11).
    fn game_of_life<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> pad2(1, 1, mirror) >> slide2(3, 1) >> map2(|nbh| nbh >> join >> reduce(add, 0) >> survive)
    }

    /// Convolution with 3x3 weights (thesis, definition 2.20).
    fn gaussian3<const N: usize, const M: usize>(ws: [f32; 9], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|nbh| zip(ws, join(nbh)) >> map(mult) >> reduce(add, 0))
    }

    /// Weighted sums along the rows.
    fn sobel_rows<const N: usize, const M: usize>(ws: [f32; 3], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| row >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| zip(ws, nbh) >> map(mult) >> reduce(add, 0)))
    }

    /// Weighted sums along the columns.
    fn sobel_columns<const N: usize, const M: usize>(ws: [f32; 3], a: [[f32; M]; N]) -> [[f32; M]; N] {
        transpose(sobel_rows(ws, transpose(a)))
    }

    fn length(x: f32, y: f32) -> f32 {
        sqrt(x * x + y * y)
    }

    /// The magnitude of the gradient from its two components.
    fn sobel_magnitude<const N: usize, const M: usize>(x: [[f32; M]; N], y: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2(x, y) >> map2(length)
    }

    /// The same from the picture, with 3x3 weights.
    fn sobel<const N: usize, const M: usize>(wx: [f32; 9], wy: [f32; 9], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|nbh| {
            let pixels = join(nbh);
            let x = zip(wx, pixels) >> map(mult) >> reduce(add, 0);
            let y = zip(wy, pixels) >> map(mult) >> reduce(add, 0);
            length(x, y)
        })
    }
}

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
