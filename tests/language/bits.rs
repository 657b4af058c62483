//! Operators on bits, through the macro.

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
fn reductions_and_scans_of_bits_are_shared_among_work_items() -> lift::Result<()> {
    for n in [0, 1, 2, 255, 4097, 70_001] {
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
