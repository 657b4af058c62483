//! The 17x17 convolution in every form of Hagedorn's thesis, section 3.2, on tiles that are small enough for
//! a simulator.

use crate::common::{Border, grid, weights};
use lift::ndarray::Array2;
use lift::{Result, lift};

include!("../../corpus/programs/convolution.rs");

/// Shapes that tiles of 16x16 and 32x8 divide.
const TILED: [(usize, usize); 2] = [(32, 16), (16, 48)];

/// Weights for all positions, and how far the first and last differ: the picture is not symmetric.
fn square_weights() -> [[f32; 17]; 17] {
    let flat = weights::<289>();
    std::array::from_fn(|row| std::array::from_fn(|column| flat[17 * row + column]))
}

fn convolved(a: &Array2<f32>) -> Array2<f32> {
    Border::Clamp.convolve(a, &weights::<289>(), 17, 17)
}

#[test]
fn forms_without_tiles_agree_with_loops_at_any_size() -> Result<()> {
    let w = square_weights();
    for shape in [(1, 1), (3, 20), (19, 7)] {
        let a = grid(shape);
        assert_eq!(high_level(&a, &w)?, convolved(&a), "{shape:?}");
        assert_eq!(naive(&a, &w)?, convolved(&a), "{shape:?}");
    }
    Ok(())
}

#[test]
fn forms_with_overlapping_tiles_agree_with_loops() -> Result<()> {
    let w = square_weights();
    for shape in TILED {
        let a = grid(shape);
        assert_eq!(naive(&a, &w)?, convolved(&a), "{shape:?}");
        assert_eq!(tiled(&a, &w)?, convolved(&a), "{shape:?}");
        assert_eq!(local(&a, &w)?, convolved(&a), "{shape:?}");
    }
    Ok(())
}

#[test]
fn rows_agree_with_loops() -> Result<()> {
    let w = weights::<17>();
    for shape in [(1, 32), (7, 64), (2, 96)] {
        let a = grid(shape);
        assert_eq!(rows(&a, &w)?, Border::Clamp.convolve(&a, &w, 1, 17), "{shape:?}");
    }
    Ok(())
}

#[test]
fn all_forms_of_the_columns_agree_with_loops() -> Result<()> {
    let w = weights::<17>();
    for shape in [(32, 8), (64, 16), (96, 24)] {
        let a = grid(shape);
        let expected = Border::Clamp.convolve(&a, &w, 17, 1);
        assert_eq!(columns(&a, &w)?, expected, "one column, {shape:?}");
        assert_eq!(coalesced(&a, &w)?, expected, "coalesced, {shape:?}");
        assert_eq!(transposed(&a, &w)?, expected, "transposed, {shape:?}");
        assert_eq!(padded(&a, &w)?, expected, "padded, {shape:?}");
        assert_eq!(padded_inside(&a, &w)?, expected, "padded inside, {shape:?}");
        assert_eq!(unrolled(&a, &w)?, expected, "unrolled, {shape:?}");
    }
    Ok(())
}

#[test]
fn the_separated_convolution_is_the_one_with_products_of_weights() -> Result<()> {
    let (wx, wy) = (weights::<17>(), [1.0, 0.0, -1.0, 2.0, 0.0].repeat(4));
    let wy: [f32; 17] = std::array::from_fn(|i| wy[i]);
    let products: [[f32; 17]; 17] = std::array::from_fn(|i| std::array::from_fn(|j| wy[i] * wx[j]));
    let a = grid((32, 32));
    let expected = Border::Clamp.convolve(&a, products.as_flattened(), 17, 17);
    assert_eq!(separated(&a, &wy, &wx)?, expected);
    assert_eq!(high_level(&a, &products)?, expected);
    assert_eq!(coalesced(&rows(&a, &wx)?, &wy)?, expected);
    // The columns read every row 17 times, so the rows are stored.
    assert_eq!(crate::plain_form(separated::SOURCE).matches("kernel __attribute__").count(), 2);
    let narrow = grid((5, 3));
    assert_eq!(
        separated(&narrow, &wy, &wx)?,
        Border::Clamp.convolve(&narrow, products.as_flattened(), 17, 17)
    );
    Ok(())
}
