//! Constants among items are known to kernels, to user functions and to Rust.

use lift::{Result, lift};

lift! {
    /// How far a window reaches.
    pub const RADIUS: usize = 2;
    const WIDTH: usize = 2 * RADIUS + 1;
    const WEIGHT: f32 = 1.0 / (WIDTH as f32);
    const LOWEST: f32 = f32::NEG_INFINITY;
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

lift! {
    /// What a pass over numbers starts with, and the angles of a full turn, for every kind of number.
    fn limits<const N: usize>(a: [f32; N], b: [i32; N], c: [u64; N]) -> (f32, f32, i32, u64) {
        (
            reduce(min, f32::INFINITY, map(|x| if x == f32::MAX { f32::NAN } else { x }, a)),
            reduce(max, f32::MIN, a),
            reduce(max, i32::MIN, b),
            reduce(bitAnd, u64::MAX, c),
        )
    }

    fn angle(turns: f32) -> f32 {
        2 * std::f32::consts::PI * turns + f32::EPSILON * (u8::BITS as f32)
    }

    fn angles<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(angle, a)
    }
}

#[test]
fn constants_of_rust_have_the_values_that_they_have_there() -> Result<()> {
    let (a, b, c) = ([3.5, f32::MAX, 2.5], [-7, -9, -8], [6, 7, 14]);
    assert_eq!(limits(&a, &b, &c)?, (2.5, f32::MAX, -7, 6));
    let angle_in_rust = |turns: f32| 2.0 * std::f32::consts::PI * turns + f32::EPSILON * (u8::BITS as f32);
    assert_eq!(angle(0.0), angle_in_rust(0.0));
    for (found, turns) in angles(&[0.0, 0.25, 1.0])?.into_iter().zip([0.0, 0.25, 1.0]) {
        assert!((found - angle_in_rust(turns)).abs() < 1e-6, "{found}");
    }
    let turned = lift!(map(|x| x * std::f32::consts::FRAC_PI_2, a))?;
    assert_eq!(turned[0], 3.5 * std::f32::consts::FRAC_PI_2);
    Ok(())
}

/// The same constants, computed by rustc.
macro_rules! in_both {
    ($(const $name:ident: $ty:ident = $value:expr;)*) => {
        mod in_rust {
            $(pub(super) const $name: $ty = $value;)*
        }

        #[test]
        fn bits_of_constants_are_those_of_rust() {
            $(assert_eq!($name, in_rust::$name, stringify!($name));)*
        }
    };
}

lift! {
    const TILE: usize = 1 << 5;
    const HALF_A_TILE: usize = TILE >> 1;
    const BITS_OF_SIZES: usize = (TILE | 7) & 0x3e ^ TILE >> 2 << 1;
    const REST: usize = 1000 % TILE;
    const ALL: u32 = (1 << TILE - 1 - 1) - 1;
    const SIGN: i32 = 1 << 31;
    const LOST: u8 = 200 << 1;
    const KEPT_SIGN: i16 = -256 >> 4;
    const LARGE: u64 = 1 << 63 | 1;
    const FLAGS: u8 = 0x0f & !3 | 1 << 7 ^ 5;
    const BY_ANOTHER: i64 = -9 >> FLAGS % 8;
    const REMAINDER: i32 = -7 % 3;
    const CHAIN: u32 = 0xdeadbeef >> 8 >> 8 << 4;
    const TRUTH: bool = (FLAGS & 1 << 7 != 0) ^ (KEPT_SIGN >> 15 == 0) | false;

    fn tiles<const N: usize>(a: [f32; N * TILE]) -> [f32; N] {
        a >> split(TILE) >> map(reduce(add, 0))
    }
}

in_both! {
    const TILE: usize = 1 << 5;
    const HALF_A_TILE: usize = TILE >> 1;
    const BITS_OF_SIZES: usize = (TILE | 7) & 0x3e ^ TILE >> 2 << 1;
    const REST: usize = 1000 % TILE;
    const ALL: u32 = (1 << (TILE - 1 - 1)) - 1;
    const SIGN: i32 = 1 << 31;
    const LOST: u8 = 200 << 1;
    const KEPT_SIGN: i16 = -256 >> 4;
    const LARGE: u64 = 1 << 63 | 1;
    const FLAGS: u8 = 0x0f & !3 | 1 << 7 ^ 5;
    const BY_ANOTHER: i64 = -9 >> (FLAGS % 8);
    const REMAINDER: i32 = -7 % 3;
    const CHAIN: u32 = 0xdeadbeef >> 8 >> 8 << 4;
    const TRUTH: bool = (FLAGS & 1 << 7 != 0) ^ (KEPT_SIGN >> 15 == 0) | false;
}

#[test]
fn a_size_that_is_shifted_is_a_size() -> Result<()> {
    assert_eq!(tiles(&[1.0; 2 * TILE])?.to_vec(), [32.0, 32.0]);
    Ok(())
}
