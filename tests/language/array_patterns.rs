//! Patterns take windows and rows apart.

use lift::ndarray::{Array2, array};
use lift::{Result, lift};

lift! {
    fn laplace<const N: usize, const M: usize>(t: [[f32; M]; N]) -> [[f32; M]; N] {
        t >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|[[_, n, _], [w, c, e], [_, s, _]]| n + w + e + s - 4 * c)
    }

    fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
        let [a0, a1, a2] = a;
        let [b0, b1, b2] = b;
        [a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]
    }
}

#[test]
fn a_stencil_names_its_neighbours() -> Result<()> {
    let t = Array2::from_shape_fn((7, 5), |(row, column)| (row * row + 3 * column * column) as f32);
    let at = |row: usize, column: usize| t[(row.min(6), column.min(4))];
    let result = laplace(&t)?;
    for ((row, column), found) in result.indexed_iter() {
        let (up, left) = (row.saturating_sub(1), column.saturating_sub(1));
        let sum = at(up, column) + at(row, left) + at(row, column + 1) + at(row + 1, column);
        assert_eq!(*found, sum - 4.0 * at(row, column), "{row} {column}");
    }
    Ok(())
}

#[test]
fn rows_pairs_and_vectors_are_taken_apart() -> Result<()> {
    assert_eq!(cross(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0])?.to_vec(), [-3.0, 6.0, -3.0]);
    let points = array![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    assert_eq!(lift!(map(|[x, y]| 10 * x + y, points))?.to_vec(), [12.0, 34.0, 56.0]);
    let pairs = [(1.0f32, 2i32), (3.0, 4), (5.0, 6), (7.0, 8)];
    let sums = lift!(map(|[(x, i), (y, j)]| (x + y, i * j), split(2, pairs)))?;
    assert_eq!(sums.to_vec(), [(4.0, 8), (12.0, 48)]);
    let halves: f32 = lift!({
        let [low, high] = split(2, [1.5, 2.5, 3.5, 4.5f32]);
        at(1, low) * at(0, high)
    })?;
    assert_eq!(halves, 2.5 * 3.5);
    Ok(())
}
