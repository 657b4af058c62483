//! Operators and functions on bits, through the macro.

use crate::common::sizes_to_simulate;
use lift::lift;

lift! {
    fn mixed(x: u32, y: u32) -> u32 { (x ^ y) & 0xff00 | !x & 0xff }
    fn majority(a: bool, b: bool, c: bool) -> bool { a & b | a & c | b & c }

    fn mixed_arrays<const N: usize>(a: [u32; N], b: [u32; N]) -> [u32; N] { zip(a, b) >> map(mixed) }
    fn inverted<const N: usize>(a: [i8; N]) -> [i8; N] { map(|x| !x, a) }
    fn odd<const N: usize>(a: [i32; N]) -> [bool; N] { map(|x| x & 1 == 1, a) }
    fn masked<const N: usize>(a: [u16x4; N], mask: u16) -> [u16x4; N] { map(|v| (v ^ !v) & mask, a) }

    fn parity<const N: usize>(a: [u64; N]) -> u64 { reduce(bitXor, 0, a) }
    fn common<const N: usize>(a: [i16; N]) -> i16 { reduce(bitAnd, -1, a) }
    fn some<const N: usize>(a: [u8; N]) -> u8 { reduce(|x, y| x | y, 0, a) }
    fn all<const N: usize>(a: [bool; N]) -> bool { reduce(bitAnd, true, a) }
    fn parities<const N: usize>(a: [u32; N]) -> [u32; N] { scanInclusive(bitXor, a) }
    fn differences<const N: usize>(a: [bool; N]) -> [bool; N] { scan(bitXor, false, a) }
}

/// The functions of one type, with what Rust computes.
macro_rules! functions_of {
    ($module:ident, $ty:ident, $wide:ident) => {
        mod $module {
            lift::lift! {
                fn moved<const N: usize>(a: [$ty; N], k: [$ty; N]) -> [[$ty; 4]; N] {
                    zip(a, k) >> map(|x, k| [shl(x, k), shr(x, k), rotl(x, k), rotr(x, k)])
                }

                fn counted<const N: usize>(a: [$ty; N]) -> [[$ty; 3]; N] {
                    a >> map(|x| [popcount(x), leadingZeros(x), trailingZeros(x)])
                }

                fn with_methods(x: $ty, y: $ty, k: u32) -> (u32, $ty) {
                    let counts = x.count_ones() + x.leading_zeros() * 3 + x.trailing_zeros() * 5;
                    let others = x.count_zeros() ^ x.leading_ones() ^ x.trailing_ones();
                    let moved = x.rotate_left(k) ^ y.rotate_right(k) ^ x.wrapping_shl(k) ^ y.wrapping_shr(k);
                    (counts + others, x.wrapping_mul(y).wrapping_sub(moved).wrapping_add(y))
                }

                fn with_operators(x: $ty, y: $ty, k: u32) -> ($ty, bool) {
                    let spread = |z| (z | z << 3) & 0x55;
                    (x << 1 + 2 ^ spread(y) | x >> k & 7, x >> y + 1 > y << k && y >> 2u8 != x)
                }

                fn shifted<const N: usize>(a: [$ty; N], b: [$ty; N], k: [u32; N]) -> [($ty, bool); N] {
                    zip(a, b, k) >> map(with_operators)
                }

                fn high(x: $ty, y: $ty) -> $ty { mulHi(x, y) }
                fn rolled(x: $ty, k: $ty) -> $ty { rotr(rotl(x, 1), k) ^ shl(x, 3) }
                fn highs<const N: usize>(a: [$ty; N], b: [$ty; N]) -> [$ty; N] { zip(a, b) >> map(high) }
            }

            #[test]
            fn functions_on_bits_compute_what_rust_computes() -> lift::Result<()> {
                let a: Vec<$ty> =
                    super::numbers(70).iter().map(|x| *x as $ty).chain([0, 1, $ty::MIN, $ty::MAX]).collect();
                let k: Vec<$ty> = a.iter().rev().copied().collect();
                let pairs = || a.iter().zip(&k).map(|(x, k)| (*x, *k));
                let width = <$ty>::BITS;
                let counts = pairs().map(|(x, k)| (x, (k as u32) % width));
                let expected: Vec<$ty> = counts
                    .flat_map(|(x, k)| {
                        [x.wrapping_shl(k), x.wrapping_shr(k), x.rotate_left(k), x.rotate_right(k)]
                    })
                    .collect();
                assert_eq!(moved(&a, &k)?.iter().copied().collect::<Vec<$ty>>(), expected);
                let expected: Vec<$ty> = a
                    .iter()
                    .flat_map(|x| [x.count_ones(), x.leading_zeros(), x.trailing_zeros()].map(|n| n as $ty))
                    .collect();
                assert_eq!(counted(&a)?.iter().copied().collect::<Vec<$ty>>(), expected);
                let expected: Vec<$ty> =
                    pairs().map(|(x, y)| ((x as $wide * y as $wide) >> width) as $ty).collect();
                assert_eq!(highs(&a, &k)?.to_vec(), expected);
                for (x, y) in pairs() {
                    let k = y as u32 & 127;
                    let counts = x.count_ones() + x.leading_zeros() * 3 + x.trailing_zeros() * 5;
                    let others = x.count_zeros() ^ x.leading_ones() ^ x.trailing_ones();
                    let moved = x.rotate_left(k) ^ y.rotate_right(k) ^ x.wrapping_shl(k) ^ y.wrapping_shr(k);
                    let expected = (counts + others, x.wrapping_mul(y).wrapping_sub(moved).wrapping_add(y));
                    assert_eq!(with_methods(x, y, k), expected);
                }
                let counts: Vec<u32> = k.iter().map(|k| *k as u32).collect();
                let spread = |z: $ty| (z | z << 3) & 0x55;
                let expected: Vec<($ty, bool)> = pairs()
                    .map(|(x, y)| {
                        let (right, k) = (x.wrapping_shr(y.wrapping_add(1) as u32), y as u32);
                        let bits = x << (1 + 2) ^ spread(y) | x.wrapping_shr(k) & 7;
                        (bits, right > y.wrapping_shl(k) && y >> 2 != x)
                    })
                    .collect();
                assert_eq!(shifted(&a, &k, &counts)?.to_vec(), expected);
                for ((x, y), expected) in pairs().zip(expected) {
                    assert_eq!(with_operators(x, y, y as u32), expected);
                }
                for (x, k) in pairs() {
                    let by = (k as u32) % width;
                    assert_eq!(rolled(x, k), x.rotate_left(1).rotate_right(by) ^ x << 3);
                }
                Ok(())
            }
        }
    };
}

functions_of!(of_i8, i8, i16);
functions_of!(of_u8, u8, u16);
functions_of!(of_i16, i16, i32);
functions_of!(of_u16, u16, u32);
functions_of!(of_i32, i32, i64);
functions_of!(of_u32, u32, u64);
functions_of!(of_i64, i64, i128);
functions_of!(of_u64, u64, u128);

lift! {
    fn halved_exponent<const N: usize>(a: [f64; N]) -> [f64; N] {
        a >> map(|x| fromBits(shr(toBits(x), 1) + shl(1023, 51)))
    }
    fn signs<const N: usize>(a: [f32x4; N]) -> [u32x4; N] { a >> map(|v| shr(toBits(v), 31)) }
    fn bits_of(x: f32) -> u32 { toBits(x) }
    fn of_bits(x: u64) -> f64 { x.fromBits() }
}

fn numbers(n: usize) -> Vec<u64> {
    (0..n as u64).map(|position| (position + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

#[test]
fn user_functions_combine_bits_as_rust_does() {
    for (x, y) in [(0, 0), (0x1234_5678, 0xffff_ffff), (u32::MAX, 1)] {
        assert_eq!(mixed(x, y), (x ^ y) & 0xff00 | !x & 0xff);
    }
    assert!(majority(true, false, true) && !majority(false, false, true));
}

#[test]
fn kernels_combine_bits_as_rust_does() -> lift::Result<()> {
    let a: Vec<u32> = numbers(99).iter().map(|x| *x as u32).collect();
    let b: Vec<u32> = numbers(99).iter().map(|x| (*x >> 32) as u32).collect();
    let expected: Vec<u32> = a.iter().zip(&b).map(|(x, y)| mixed(*x, *y)).collect();
    assert_eq!(mixed_arrays(&a, &b)?.to_vec(), expected);
    assert_eq!(inverted(&[0, -1, 127, -128])?.to_vec(), [-1, 0, -128, 127]);
    assert_eq!(odd(&[0, 1, -1, i32::MIN])?.to_vec(), [false, true, true, false]);
    let vectors = vec![[1u16, 2, 3, 0xffff], [0, 0x8000, 0x7fff, 9]];
    assert_eq!(masked(&vectors, 0x0f0f)?.to_vec(), [[0x0f0f; 4]; 2]);
    Ok(())
}

#[test]
fn bits_of_an_open_type_are_those_of_the_argument() -> lift::Result<()> {
    let (a, b) = ([true, true, false], [true, false, false]);
    assert_eq!(lift!(zip(a, b) >> map(bitXor))?.to_vec(), [false, true, false]);
    let (a, b) = ([0x0fu8, 0xf0], [0xffu8, 0x10]);
    assert_eq!(lift!(zip(a, b) >> map(|x, y| x & y))?.to_vec(), [0x0f, 0x10]);
    let c = [-1i16, 0, 5];
    assert_eq!(lift!(map(|x| !(x | 1), c))?.to_vec(), [0, -2, -6]);
    let (v, w) = ([[1u32, 2], [3, 4]], [[5u32, 6], [7, 8]]);
    assert_eq!(lift!(zip2(v, w) >> map2(bitOr))?.iter().copied().collect::<Vec<u32>>(), [5, 6, 7, 12]);
    Ok(())
}

#[test]
fn functions_on_bits_take_the_width_of_an_open_type() -> lift::Result<()> {
    let (bytes, longs) = ([1u8, 0x80, 0], [1i64, i64::MIN, 0]);
    assert_eq!(lift!(map(|x| rotl(x, 9), bytes))?.to_vec(), [2, 1, 0]);
    assert_eq!(lift!(map(|x| rotl(x, 1), longs))?.to_vec(), [2, 1, 0]);
    assert_eq!(lift!(map(|x| rotr(x, 1) ^ shr(x, 8), bytes))?.to_vec(), [0x81, 0xc0, 0]);
    assert_eq!(lift!(map(|x| shl(x, 7), bytes))?.to_vec(), [0x80, 0, 0]);
    assert_eq!(lift!(map(|x| shr(x, 63), longs))?.to_vec(), [0, -1, 0]);
    assert_eq!(lift!(map(trailingZeros, bytes))?.to_vec(), [0, 7, 8]);
    assert_eq!(lift!(map(leadingZeros, longs))?.to_vec(), [63, 0, 64]);
    assert_eq!(lift!(map(|x| mulHi(x, x) + popcount(x), longs))?.to_vec(), [1, (1 << 62) + 1, 0]);
    Ok(())
}

#[test]
fn floats_and_their_bits_change_places() -> lift::Result<()> {
    let a = [4.0f64, 1.0, 0.25];
    assert_eq!(halved_exponent(&a)?.to_vec(), [2.0, 1.0, 0.5]);
    let vectors = [[-0.0f32, 0.0, f32::NEG_INFINITY, 3.5]];
    assert_eq!(signs(&vectors)?.to_vec(), [[1, 0, 1, 0]]);
    assert_eq!((bits_of(-2.0), of_bits(0x3ff0_0000_0000_0000)), (0xc000_0000, 1.0));
    let captured = [1.0f32, -1.0];
    assert_eq!(lift!(map(toBits, captured))?.to_vec(), [0x3f80_0000, 0xbf80_0000]);
    Ok(())
}

#[test]
fn reductions_and_scans_of_bits_are_shared_among_work_items() -> lift::Result<()> {
    for n in sizes_to_simulate(&[0, 1, 2, 255, 4097, 70_001], 4097)? {
        let a = numbers(n);
        assert_eq!(parity(&a)?, a.iter().fold(0, |x, y| x ^ y), "{n} elements");
        let shorts: Vec<i16> = a.iter().map(|x| *x as i16 | 0x0440).collect();
        assert_eq!(common(&shorts)?, shorts.iter().fold(-1, |x, y| x & y), "{n} elements");
        let bytes: Vec<u8> = a.iter().map(|x| *x as u8 & 0x1b).collect();
        assert_eq!(some(&bytes)?, bytes.iter().fold(0, |x, y| x | y), "{n} elements");
        let truths: Vec<bool> = a.iter().map(|x| x % 1009 != 5).collect();
        assert_eq!(all(&truths)?, truths.iter().all(|x| *x), "{n} elements");
        let words: Vec<u32> = a.iter().map(|x| *x as u32).collect();
        let mut sum = 0;
        let prefixes: Vec<u32> = words
            .iter()
            .map(|x| {
                sum ^= x;
                sum
            })
            .collect();
        assert_eq!(parities(&words)?.to_vec(), prefixes, "{n} elements");
        let mut differs = false;
        let before: Vec<bool> = truths
            .iter()
            .map(|x| {
                let before = differs;
                differs ^= x;
                before
            })
            .collect();
        assert_eq!(differences(&truths)?.to_vec(), before, "{n} elements");
    }
    let kernels = parity::SOURCE.matches("kernel __attribute__").count();
    assert!(kernels > 1, "{}", parity::SOURCE);
    Ok(())
}
