//! Constants among items are known to kernels, to user functions and to Rust.

use lift::{Result, lift};

lift! {
    /// How far a window reaches.
    pub const RADIUS: usize = 2;
    const WIDTH: usize = 2 * RADIUS + 1;
    const WEIGHT: f32 = 1.0 / (WIDTH as f32);
    const LOWEST: f32 = -1.0 / 0.0;
    const LEAST: i64 = -9223372036854775808;
    const IS_ODD: bool = WIDTH % 2 == 1;

    fn weighted(sum: f32) -> f32 {
        if IS_ODD { WEIGHT * sum } else { 0 }
    }

    fn blur<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> pad(RADIUS, RADIUS, clamp) >> slide(WIDTH, 1) >> map(|window| weighted(reduce(add, 0, window)))
    }

    fn extremes<const N: usize>(a: [f32; N], b: [i64; WIDTH]) -> (f32, i64) {
        (reduce(max, LOWEST, a), reduce(|s, x| if x == LEAST { s + RADIUS } else { s }, 0, b))
    }
}

#[test]
fn items_and_rust_see_the_same_constants() -> Result<()> {
    assert_eq!((RADIUS, WIDTH, WEIGHT, LOWEST), (2, 5, 0.2, f32::NEG_INFINITY));
    assert_eq!((LEAST, IS_ODD), (i64::MIN, true));
    assert_eq!(weighted(5.0), 1.0);
    assert_eq!(blur(&[0.0, 5.0, 10.0])?.to_vec(), [3.0, 5.0, 7.0]);
    let longs = [LEAST; WIDTH];
    assert_eq!(extremes(&[-3.0, -2.0], &longs)?, (-2.0, 10));
    Ok(())
}
