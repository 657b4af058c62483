//! Numbers that users pass and that are near the end of what an index can be: a result is right, or the call
//! is an `Err` before anything is launched. Nothing wraps, on no device.

use crate::common::samples;
use lift::{Device, Error, Result, lift};

lift! {
    fn rotated<const N: usize>(k: size, a: [f32; N]) -> [f32; N] { a >> gather(rotate(k)) }

    fn rotated_back<const N: usize>(k: size, a: [f32; N]) -> [f32; N] { a >> map(id) >> scatter(rotate(k)) }

    fn rotated_twice<const N: usize>(k: size, l: size, a: [f32; N]) -> [f32; N] {
        a >> gather(rotate(k)) >> reverse >> gather(rotate(l))
    }

    fn shifted<const N: usize>(k: size, a: [f32; N]) -> [f32; N] { a >> gather(|i| (i + k) % N) }

    fn stretched<const N: usize>(k: size, a: [f32; N]) -> [f32; N] { a >> gather(|i| (i * k) % N) }

    fn beyond<const N: usize>(k: size, a: [f32; N]) -> [f32; N] { a >> gather(|i| min(i + k, N - 1)) }

    fn before<const N: usize>(k: size, a: [f32; N]) -> [f32; N] { a >> gather(|i| max(N - 1 - i, k) % N) }

    fn product<const N: usize>(k: size, a: [f32; N]) -> [f32; N] { a >> gather(|i| (i + k * k) / k % N) }
}

/// Numbers around the ends of 31, 32, 62 and 63 bits.
const LARGE: [u64; 14] = [
    0,
    1,
    7,
    (1 << 31) - 5,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) + 1,
    (1 << 62) - 1,
    1 << 62,
    i64::MAX as u64 - 1000,
    i64::MAX as u64 - 999,
    i64::MAX as u64 - 2,
    i64::MAX as u64 - 1,
    i64::MAX as u64,
];

/// The elements at the places that a function gives, on all devices.
fn expected(a: &[f32], place: impl Fn(u128) -> u128) -> Vec<f32> {
    (0..a.len() as u128).map(|i| a[place(i) as usize]).collect()
}

/// A call that is refused says so of a size.
fn is_refusal(error: &Error) -> bool {
    matches!(error, Error::Size { .. })
}

#[test]
fn rotations_by_any_number_are_right() -> Result<()> {
    for device in Device::list()? {
        for n in [1, 3, 1000] {
            let a = samples(n);
            let length = n as u128;
            for k in LARGE {
                let distance = u128::from(k);
                let size = usize::try_from(k).expect("64 bits");
                let forth = expected(&a, |i| (i + distance) % length);
                assert_eq!(rotated::on(&device)?.run(size, &a)?.to_vec(), forth, "{k} on {device}");
                let back = expected(&a, |i| (i + length - distance % length) % length);
                assert_eq!(rotated_back::on(&device)?.run(size, &a)?.to_vec(), back, "{k} on {device}");
                let twice = expected(&a, |i| (length - 1 - (i + distance) % length + distance) % length);
                assert_eq!(
                    rotated_twice::on(&device)?.run(size, size, &a)?.to_vec(),
                    twice,
                    "{k} on {device}"
                );
                assert_eq!(shifted::on(&device)?.run(size, &a)?.to_vec(), forth, "{k} on {device}");
            }
        }
    }
    Ok(())
}

#[test]
fn positions_that_no_index_holds_are_refused() -> Result<()> {
    for device in Device::list()? {
        let a = samples(1000);
        let (mut right, mut refused) = (0, 0);
        for k in LARGE {
            let (number, size) = (u128::from(k), usize::try_from(k).expect("64 bits"));
            let results = [
                (stretched::on(&device)?.run(size, &a), expected(&a, |i| i * number % 1000)),
                (beyond::on(&device)?.run(size, &a), expected(&a, |i| (i + number).min(999))),
                (before::on(&device)?.run(size, &a), expected(&a, |i| (999 - i).max(number) % 1000)),
            ];
            for (result, expected) in results {
                match result {
                    Ok(result) => {
                        assert_eq!(result.to_vec(), expected, "{k} on {device}");
                        right += 1;
                    }
                    Err(error) => {
                        assert!(is_refusal(&error), "{error}");
                        refused += 1;
                    }
                }
            }
            if k > 0 {
                match product::on(&device)?.run(size, &a) {
                    Ok(result) => {
                        assert_eq!(result.to_vec(), expected(&a, |i| (i + number * number) / number % 1000))
                    }
                    Err(error) => assert!(is_refusal(&error), "{error}"),
                }
            }
        }
        assert!(right >= 24 && refused >= 12, "{right} and {refused} on {device}");
    }
    Ok(())
}

#[test]
fn a_refusal_names_the_formula_and_the_number() {
    let message = beyond(i64::MAX as usize, &samples(8)).unwrap_err().to_string();
    assert_eq!(
        message,
        "the size `N + k` in `beyond` is computed for an index and is too large for 64 bits: `N` is 8 because of `a`, `k` is \
         9223372036854775807"
    );
}

#[test]
fn a_number_above_all_sizes_is_refused() {
    let message = rotated(usize::MAX, &samples(8)).unwrap_err().to_string();
    assert_eq!(
        message,
        "the size `k` in `rotated` is 18446744073709551615, but sizes are at most 9223372036854775807"
    );
}
