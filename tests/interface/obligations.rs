//! Everything that can only be checked with actual sizes, violated once: the call is an `Err` that names the
//! argument or the constraint, and the sizes; nothing is launched, so that the destination still holds what
//! it held.

use crate::common::{grid, samples};
use lift::ndarray::{Array, ArrayD, Dimension, IxDyn};
use lift::{Device, DeviceKind, Error, Result, lift};

lift! {
    fn chunks<const N: usize>(a: [f32; N]) -> [f32; N / 3] {
        a >> split(3) >> map(reduce(add, 0))
    }

    fn chunks_of<const N: usize>(m: size, a: [f32; N]) -> [f32; N] {
        a >> split(m) >> join
    }

    fn windows<const N: usize>(a: [f32; N]) -> [f32; N - 4] {
        a >> slide(5, 1) >> map(reduce(add, 0))
    }

    fn every_other_window<const N: usize>(a: [f32; N]) -> [f32; (N - 1) / 2] {
        a >> slide(3, 2) >> map(reduce(add, 0))
    }

    fn windows_by<const N: usize>(step: size, a: [f32; N]) -> [f32; (N - 3 + step) / step] {
        a >> slide(3, step) >> map(reduce(add, 0))
    }

    fn rolling<const N: usize>(a: [f32; N]) -> [f32; N - 3] {
        a >> mapSeqSlide(reduceSeq(add, 0), 4, 1)
    }

    fn tiles<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> tile(2, 4) >> untile
    }

    fn middle<const N: usize>(a: [f32; N]) -> [f32; 3] {
        slice(2, 3, a)
    }

    fn part<const N: usize>(start: size, count: size, a: [f32; N]) -> [f32; count] {
        slice(start, count, a)
    }

    fn rest<const N: usize>(m: size, a: [f32; N]) -> [f32; N - m] {
        slice(m, N - m, a)
    }

    fn fifth<const N: usize>(a: [f32; N]) -> [f32; 1] {
        repeat(1, at(4, a))
    }

    fn first<const N: usize>(a: [f32; N]) -> [f32; 1] {
        repeat(1, head(a))
    }

    fn ending<const N: usize>(a: [f32; N]) -> [f32; 1] {
        repeat(1, last(a))
    }

    fn ahead<const N: usize>(m: size, a: [f32; N]) -> [f32; m] {
        generate(m, |i| at(i + 1, a))
    }

    fn spread<const N: usize>(m: size, a: [f32; N]) -> [f32; N] {
        gather(|i| i * m, a)
    }

    fn squares<const N: usize>(m: size, a: [f32; N]) -> [f32; N] {
        gather(|i| i * i % m, a)
    }

    fn strided<const N: usize>(s: size, a: [f32; N]) -> [f32; N] {
        gather(stride(s), a)
    }

    fn permuted<const N: usize>(m: size, a: [f32; N]) -> [f32; N] {
        scatter(|i| i * m % N, a)
    }

    fn bordered<const N: usize>(a: [f32; N]) -> [f32; N + 2] {
        pad(1, 1, clamp, a)
    }

    fn bordered_by<const N: usize>(m: size, a: [f32; N]) -> [f32; N + 2] {
        pad(1, 1, |i, n| m, a)
    }

    fn halved<const N: usize>(a: [f32; N]) -> [f32; N / 8] {
        a >> iterate(3, |t| t >> split(2) >> map(reduce(add, 0)))
    }

    fn fours<const N: usize>(a: [f32; N]) -> [f32; N]
    where
        N % 4 == 0,
    {
        map(|x| 2 * x, a)
    }

    fn at_least_three<const N: usize>(a: [f32; N]) -> [f32; N]
    where
        N >= 3,
    {
        map(|x| 2 * x, a)
    }

    fn of_one_length<const N: usize, const M: usize>(a: [f32; N], b: [f32; M]) -> [f32; N]
    where
        N == M,
    {
        zip(a, b) >> map(add)
    }

    fn not_five<const N: usize>(a: [f32; N]) -> [f32; N]
    where
        N != 5,
    {
        map(|x| 2 * x, a)
    }

    #[launch(local = 4, global = N)]
    fn whole_groups<const N: usize>(a: [f32; N]) -> [f32; N] {
        mapGlb(|x| 2 * x, a)
    }

    #[launch(local = 65536)]
    fn enormous_groups<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> split(65536) >> mapWrg(mapLcl(|x| 2 * x)) >> join
    }

    fn same_sizes<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b) >> map(add)
    }

    fn triples<const N: usize>(a: [f32; 3 * N]) -> [f32; N] {
        a >> split(3) >> map(reduce(add, 0))
    }

    fn packed<const N: usize>(a: [f32; N * (N + 1) / 2]) -> [f32; N] {
        generate(N, |i| at(i, a))
    }

    fn product<const N: usize, const M: usize>(a: [f32; N * M]) -> [f32; N] {
        generate(N, |i| at(i, a))
    }

    fn exactly_four(a: [f32; 4]) -> [f32; 4] {
        map(|x| 2 * x, a)
    }

    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| 2 * x, a)
    }

    fn pairs<const N: usize>(a: [(f32, i32); N]) -> [f32; N] {
        map(|(x, k)| x * (k as f32), a)
    }

    fn logarithmic<const N: usize>(a: [f32; N]) -> [f32; log2(N)] { generate(log2(N), |i| at(i, a)) }
    fn huge(n: size) -> [f32; n * n * n] {
        repeat(n * n * n, 1.0)
    }
}

/// What the destinations hold before the calls.
const UNTOUCHED: f32 = -7.25;

/// The message of a call that must be refused without touching its destination.
fn refusal<D: Dimension>(shape: D, call: impl FnOnce(&mut Array<f32, D>) -> Result<()>) -> String {
    let mut destination = Array::from_elem(shape, UNTOUCHED);
    let error = call(&mut destination).expect_err("the call must be refused");
    assert!(destination.iter().all(|element| *element == UNTOUCHED), "the destination was written: {error}");
    error.to_string()
}

/// Calls a kernel into a destination of a shape and expects one message.
macro_rules! refused {
    ($kernel:ident($($argument:expr),*) into $shape:expr; $message:expr) => {{
        let kernel = $kernel::on(&Device::default_device()?)?;
        let message = refusal(lift::ndarray::Ix1($shape), |destination| kernel.run_into($($argument),*, destination));
        assert_eq!(message, $message);
    }};
}

#[test]
fn sizes_that_a_primitive_cannot_take_are_refused() -> Result<()> {
    refused!(chunks(&samples(10)) into 3; "`split(3)` needs 3 to divide `N`, but `N` is 10 because of `a`");
    refused!(chunks_of(4, &samples(10)) into 10; "`split(m)` needs `m` to divide `N`, but `m` is 4 and `N` is 10 because of `a`");
    refused!(chunks_of(0, &samples(10)) into 10; "`split(m)` needs `m` to divide `N`, but `m` is 0 and `N` is 10 because of `a`");
    refused!(windows(&samples(3)) into 1; "the length `N - 4` of an array must not be negative, but `N - 4` is -1 (`N` is 3 because of `a`)");
    refused!(every_other_window(&samples(6)) into 2; "`slide(3, 2)` needs its last window to end with the array: 2 divides `N - 1`, but `N - 1` is 5 (`N` is 6 because of `a`)");
    refused!(windows_by(0, &samples(6)) into 2; "`(N + step - 3) / step` needs `step` to be positive, but `step` is 0");
    refused!(windows_by(2, &samples(6)) into 2; "`slide(3, step)` needs its last window to end with the array: `step` divides `N + step - 3`, but `step` is 2 and `N + step - 3` is 5 (`N` is 6 because of `a`, `step` is 2)");
    refused!(rolling(&samples(3)) into 1; "`mapSeqSlide(…, 4, 1)` needs at least 4 elements, and its input has `N`, but `N` is 3 because of `a`");
    refused!(middle(&samples(4)) into 3; "`slice(2, 3)` needs at least 5 elements, and its input has `N`, but `N` is 4 because of `a`");
    refused!(part(2, 5, &samples(6)) into 5; "`slice(start, count)` needs at least `start + count` elements, and its input has `N`, but `start + count` is 7 (`start` is 2, `count` is 5) and `N` is 6 because of `a`");
    refused!(rest(7, &samples(6)) into 1; "the length `N - m` of an array must not be negative, but `N - m` is -1 (`N` is 6 because of `a`, `m` is 7)");
    refused!(fifth(&samples(4)) into 1; "`at(4)` needs at least 5 elements, and its input has `N`, but `N` is 4 because of `a`");
    refused!(first(&samples(0)) into 1; "`head` needs at least 1 element, and its input has `N`, but `N` is 0 because of `a`");
    refused!(ending(&samples(0)) into 1; "`last` needs at least 1 element, and its input has `N`, but `N` is 0 because of `a`");
    refused!(ahead(4, &samples(4)) into 4; "`at(i + 1)` needs at least `i + 2` elements, and its input has `N`, for every `i` below `m`, but `m` is 4 and `N` is 4 because of `a`");
    refused!(spread(2, &samples(4)) into 4; "`gather` needs every index `m * i` inside the array of `N` elements, but `N` is 4 because of `a` and `m` is 2");
    refused!(squares(9, &samples(4)) into 4; "`gather` needs every index `i * i % m` inside the array of `N` elements, but `N` is 4 because of `a` and `m` is 9");
    refused!(strided(3, &samples(4)) into 4; "`stride(s)` needs `s` to divide `N`, but `s` is 3 and `N` is 4 because of `a`");
    refused!(permuted(2, &samples(6)) into 6; "`scatter` needs `|i| m * i % N` to be a permutation of the positions of `N` elements, but `N` is 6 because of `a`, `m` is 2 and positions 0 and 3 are both mapped to 0");
    refused!(permuted(9, &samples(6)) into 6; "`scatter` needs `|i| m * i % N` to be a permutation of the positions of `N` elements, but `N` is 6 because of `a`, `m` is 9 and positions 0 and 2 are both mapped to 0");
    refused!(bordered(&samples(0)) into 2; "`pad(1, 1, clamp)` needs an array that is not empty, and its input has `N` elements, but `N` is 0 because of `a`");
    refused!(bordered_by(6, &samples(6)) into 8; "`pad(1, 1, …)` needs every index `m` inside the array of `N` elements, but `m` is 6 and `N` is 6 because of `a`");
    refused!(halved(&samples(12)) into 1; "`iterate(3)` needs 8 to divide `N`, but `N` is 12 because of `a`");
    Ok(())
}

#[test]
fn tiles_that_do_not_fill_a_matrix_are_refused() -> Result<()> {
    let kernel = tiles::on(&Device::default_device()?)?;
    let rows = refusal(lift::ndarray::Ix2(3, 4), |out| kernel.run_into(&grid((3, 4)), out));
    let columns = refusal(lift::ndarray::Ix2(2, 6), |out| kernel.run_into(&grid((2, 6)), out));
    assert_eq!(rows, "`tile(2, 4)` needs 2 to divide `N`, but `N` is 3 because of `a`");
    assert_eq!(columns, "`tile(2, 4)` needs 4 to divide `M`, but `M` is 6 because of `a`");
    Ok(())
}

#[test]
fn clauses_are_checked() -> Result<()> {
    refused!(fours(&samples(6)) into 6; "`fours` is only for `N % 4 == 0`, but `N` is 6 because of `a`");
    refused!(at_least_three(&samples(2)) into 2; "`at_least_three` is only for `N >= 3`, but `N` is 2 because of `a`");
    refused!(of_one_length(&samples(2), &samples(3)) into 2; "`of_one_length` is only for `N == M`, but `N` is 2 because of `a` and `M` is 3 because of `b`");
    refused!(not_five(&samples(5)) into 5; "`not_five` is only for `N != 5`, but `N` is 5 because of `a`");
    Ok(())
}

#[test]
fn launches_that_are_not_whole_or_not_possible_are_refused() -> Result<()> {
    refused!(whole_groups(&samples(6)) into 6; "`launch` needs 4 to divide `N`, but `N` is 6 because of `a`");
    // The host runs groups of any size.
    let device = Device::list()?.into_iter().find(|device| device.kind() != DeviceKind::Host);
    let device = device.expect("the tests need an OpenCL device");
    let error = enormous_groups::on(&device).expect_err("no device has groups that large");
    let message = error.to_string();
    for part in ["`enormous_groups`", "65536", "work-items"] {
        assert!(message.contains(part), "{message}");
    }
    Ok(())
}

#[test]
fn arguments_of_other_sizes_are_refused() -> Result<()> {
    refused!(same_sizes(&samples(4), &samples(5)) into 4; "`b` has 5 elements, but `N` is 4 because of `a`");
    refused!(exactly_four(&samples(5)) into 4; "`a` has 5 elements, but 4 are needed");
    refused!(triples(&samples(10)) into 3; "`a` has 10 elements, but no `N` makes `3 * N` equal to that");
    refused!(packed(&samples(7)) into 3; "`a` has 7 elements, but no `N` makes `(N + N * N) / 2` equal to that");
    refused!(product(&samples(12)) into 3; "`N` does not follow from the sizes of the arguments of `product`");
    refused!(
        logarithmic(&samples(0)) into 3;
        "the size `log2(N)` in `logarithmic` is the logarithm of a number below 1: `N` is 0 because of `a`"
    );
    refused!(huge(10_000_000) into 3; "the size `pow(n, 3)` in `huge` is too large: `n` is 10000000");
    refused!(pairs(&(samples(3), vec![1i32; 4])) into 3; "`a.1` has 4 elements, but `N` is 3 because of `a.0`");
    Ok(())
}

#[test]
fn another_rank_and_another_destination_are_refused() -> Result<()> {
    refused!(doubled(&ArrayD::<f32>::zeros(IxDyn(&[2, 3]))) into 2; "`a` has 2 dimensions, but 1 is needed");
    refused!(doubled(&samples(3)) into 4; "the destination has the shape [4], but the result of `doubled` has the shape [3]");
    Ok(())
}

#[test]
fn a_size_without_a_name_is_the_length_of_its_argument() -> Result<()> {
    let (left, right, n) = (samples(10), samples(9), 3usize);
    let messages = [
        lift!(left >> split(n) >> join).map(drop),
        lift!(zip(left, right) >> map(add)).map(drop),
        lift!(scatter(|i| i * n % len(right), right)).map(drop),
        lift!(zip(left, generate(n, |i| i as f32)) >> map(add)).map(drop),
        lift!(|a: [f32; N]| a >> split(4) >> join).run(&left).map(drop),
    ]
    .map(|result| result.expect_err("it must be refused").to_string());
    let expected = [
        "`split(n)` needs `n` to divide `len(left)`, but `n` is 3 and `len(left)` is 10",
        "`right` has 9 elements, but `len(left)` is 10",
        "`scatter` needs `|i| i * n % len(right)` to be a permutation of the positions of `len(right)` elements, but \
         `len(right)` is 9, `n` is 3 and positions 0 and 3 are both mapped to 0",
        "`n` is 3, but `n` is 10 because of `left`",
        "`split(4)` needs 4 to divide `N`, but `N` is 10 because of `a`",
    ];
    assert_eq!(messages, expected);
    Ok(())
}

#[test]
fn an_obligation_is_an_error_of_its_own_kind() {
    let error = chunks(&samples(10)).expect_err("3 does not divide 10");
    assert!(
        matches!(&error, Error::Obligation { constraint, actual } if constraint.contains("split(3)") && actual.contains("10"))
    );
}

#[test]
fn what_meets_its_obligations_is_computed() -> Result<()> {
    assert_eq!(permuted(5, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])?.to_vec(), [0.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
    assert_eq!(chunks(&[1.0, 2.0, 3.0])?.to_vec(), [6.0]);
    assert_eq!(permuted(3, &samples(0))?.len(), 0);
    // Products of positions do not fit into 32 bits here, though every index does.
    let a: Vec<f32> = (0..100_000).map(|position| position as f32).collect();
    let squared = squares(100_000, &a)?;
    assert_eq!((0..100_000).find(|&i| squared[i] != a[i * i % 100_000]), None);
    let moved = permuted(77_777, &a)?;
    assert_eq!((0..100_000).find(|&i| moved[i * 77_777 % 100_000] != a[i]), None);
    Ok(())
}
