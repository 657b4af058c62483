//! Scalars and vectors that an `enqueue` left on the device, as arguments of another: kernels read them there.

use crate::common::{SIZES, samples};
use lift::ndarray::{Array1, Ix0, Ix1, arr1, arr2};
use lift::{Device, DeviceArray, Element, Error, Result, lift};

include!("../../corpus/interface/tuples.rs");

lift! {
    /// The sum of the elements, in order.
    fn total<const N: usize>(a: [f32; N]) -> f32 {
        a >> reduceSeq(add, 0)
    }

    /// Every element times a factor.
    fn scaled<const N: usize>(factor: f32, a: [f32; N]) -> [f32; N] {
        a >> map(|x| x * factor)
    }

    /// The second argument times the first, added to the third, in any precision.
    fn axpy<T: Float, const N: usize>(k: T, x: [T; N], y: [T; N]) -> [T; N] {
        zip(x, y) >> map(|(x, y)| k * x + y)
    }

    /// The scalar product, in any precision.
    fn dot<T: Float, const N: usize>(x: [T; N], y: [T; N]) -> T {
        zip(x, y) >> map(mult) >> reduceSeq(add, 0)
    }

    /// A matrix times a vector.
    fn applied<const N: usize>(m: [[f64; N]; N], x: [f64; N]) -> [f64; N] {
        m >> map(|row| zip(row, x) >> map(mult) >> reduceSeq(add, 0))
    }

    /// A quotient of numbers.
    fn quotient(a: f64, b: f64) -> ([f64; 1], f64) {
        (repeat(1, a / b), a / b)
    }

    /// The first element.
    fn first<T: Element, const N: usize>(a: [T; N]) -> T {
        a >> head
    }

    /// A value and an array of one type, side by side.
    fn beside<T: Element, const N: usize>(x: T, a: [T; N]) -> [(T, T); N] {
        a >> map(|y| (x, y))
    }

    /// The sum of all vectors.
    fn centre<const N: usize>(a: [f32x4; N]) -> f32x4 {
        a >> reduceSeq(add, 0)
    }

    /// All vectors moved.
    fn moved<const N: usize>(by: f32x4, a: [f32x4; N]) -> [f32x4; N] {
        a >> map(|v| v + by)
    }

    /// The sum of what is larger than a bound, then divided by it: several kernels read the bound.
    fn above<const N: usize>(bound: f32, a: [f32; N]) -> [f32; N] {
        let kept = a >> map(|x| if x > bound { x } else { 0 });
        let sum = kept >> reduce(add, 0);
        kept >> map(|x| x * bound + sum)
    }

    /// Parameters whose names are near each other.
    fn named<const N: usize>(k: f32, k_argument: f32, a: [f32; N]) -> [f32; N] {
        a >> map(|x| x * k + k_argument)
    }

    /// The elements that a flag lets through, the others are replaced.
    fn chosen<const N: usize>(keep: bool, a: [i16; N], other: i16) -> [i16; N] {
        a >> map(|x| if keep { x } else { other })
    }
}

#[test]
fn a_scalar_on_the_device_is_a_scalar_argument() -> Result<()> {
    for device in Device::list()? {
        for length in SIZES {
            let data = samples(length);
            let on_device = device.upload(&data)?;
            let sum: DeviceArray<f32, Ix0> = total::on(&device)?.enqueue(&on_device)?;
            let kernel = scaled::on(&device)?;
            let expected = kernel.run(total::on(&device)?.run(&data)?, &data)?;
            assert_eq!(kernel.enqueue(&sum, &on_device)?.download()?, expected, "{device}, {length}");
            assert_eq!(kernel.clone().specialised().enqueue(&sum, &on_device)?.download()?, expected);
            // The same kernel with a number, before and after.
            assert_eq!(kernel.enqueue(0.5, &on_device)?.download()?, Array1::from(data) * 0.5);
            assert_eq!(kernel.enqueue(&sum, &on_device)?.download()?, expected);
        }
    }
    Ok(())
}

#[test]
fn a_tuple_of_scalars_on_the_device_is_a_tuple_of_borrows() -> Result<()> {
    for device in Device::list()? {
        let data = samples(100);
        let (low, high) = extremes::on(&device)?.enqueue(&device.upload(&data[..10])?)?;
        let kernel = clamped::on(&device)?;
        let (low_here, high_here) = (low.download()?.into_scalar(), high.download()?.into_scalar());
        let expected = kernel.run((low_here, high_here), &data)?;
        assert_eq!(kernel.enqueue((&low, &high), &data)?.download()?, expected);
        // One of them may be a number.
        let half = kernel.run((low_here, 0.5), &data)?;
        assert_eq!(kernel.enqueue((&low, 0.5), &data)?.download()?, half);
        assert_eq!(kernel.enqueue((0.25, &high), &data)?.download()?, kernel.run((0.25, high_here), &data)?);
    }
    Ok(())
}

fn passes_on<T: Element + lift::Number>(device: &Device, elements: &[T]) -> Result<()> {
    let (found, pairs) = {
        let value = first::on(device)?.enqueue(&elements.to_vec())?;
        let pairs = beside::on(device)?.enqueue(&value, &elements.to_vec())?;
        (value.download()?.into_scalar(), pairs.download()?)
    };
    assert_eq!(found, elements[0]);
    assert_eq!(pairs.to_vec(), elements.iter().map(|&y| (elements[0], y)).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn scalars_of_all_types_are_read_on_the_device() -> Result<()> {
    for device in Device::list()? {
        passes_on(&device, &[-1i8, 2])?;
        passes_on(&device, &[200u8, 2])?;
        passes_on(&device, &[-300i16, 2])?;
        passes_on(&device, &[60_000u16, 2])?;
        passes_on(&device, &[i32::MIN, 2])?;
        passes_on(&device, &[u32::MAX, 2])?;
        passes_on(&device, &[i64::MIN, 2])?;
        passes_on(&device, &[u64::MAX, 2])?;
        passes_on(&device, &[0.1f32, 2.0])?;
        passes_on(&device, &[0.1f64, 2.0])?;
        for flag in [false, true] {
            let keep = lift!(|a: [bool; N]| head(a)).on(&device)?.enqueue(&[flag])?;
            let there = chosen::on(&device)?.enqueue(&keep, &[1, 2], 7)?;
            assert_eq!(there.download()?.to_vec(), if flag { [1, 2] } else { [7, 7] });
        }
    }
    Ok(())
}

#[test]
fn vectors_on_the_device_are_read_there() -> Result<()> {
    for device in Device::list()? {
        let data = [[1.0f32, 2.0, 3.0, 4.0], [0.5, 0.5, -0.5, 0.0]];
        let by: DeviceArray<f32, Ix1> = centre::on(&device)?.enqueue(&data)?;
        let there = moved::on(&device)?.enqueue(&by, &data)?;
        assert_eq!(there.download()?, arr2(&[[2.5, 4.5, 5.5, 8.0], [2.0, 3.0, 2.0, 4.0]]));
        let there = moved::on(&device)?.enqueue([1.0, 0.0, 0.0, 0.0], &data)?;
        assert_eq!(there.download()?.row(0).to_vec(), [2.0, 2.0, 3.0, 4.0]);

        let short = device.upload(&[1.0f32, 2.0, 3.0])?;
        let error = moved::on(&device)?.enqueue(&short, &data).expect_err("three are not four");
        assert_eq!(error.to_string(), "`by` has 3 elements, but 4 are needed");
    }
    Ok(())
}

#[test]
fn several_kernels_of_a_program_read_one_scalar() -> Result<()> {
    for device in Device::list()? {
        for length in [0, 1, 100, 5000] {
            let data = samples(length);
            let bound = total::on(&device)?.enqueue(&[0.25f32, 0.5])?;
            let kernel = above::on(&device)?;
            assert_eq!(kernel.enqueue(&bound, &data)?.download()?, kernel.run(0.75, &data)?);
        }
    }
    Ok(())
}

#[test]
fn parameters_keep_their_names() -> Result<()> {
    for device in Device::list()? {
        let (two, one) = (total::on(&device)?.enqueue(&[2.0f32])?, total::on(&device)?.enqueue(&[1.0f32])?);
        for kernel in [named::on(&device)?, named::on(&device)?.specialised()] {
            assert_eq!(kernel.enqueue(&two, 1.0, &[3.0f32])?.download()?, arr1(&[7.0]));
            assert_eq!(kernel.enqueue(2.0, &one, &[3.0f32])?.download()?, arr1(&[7.0]));
            assert_eq!(kernel.enqueue(&two, &one, &[3.0f32])?.download()?, arr1(&[7.0]));
        }
    }
    Ok(())
}

#[test]
fn a_scalar_is_read_before_it_is_overwritten() -> Result<()> {
    for device in Device::list()? {
        let kernel = scaled::on(&device)?;
        let total = total::on(&device)?;
        let a = device.upload(&[1.0f32, 2.0])?;
        let mut factor = total.enqueue(&a)?;
        let tripled = kernel.enqueue(&factor, &a)?;
        total.enqueue_into(&tripled, &mut factor)?;
        let last = kernel.enqueue(&factor, &a)?;
        assert_eq!(tripled.download()?, arr1(&[3.0, 6.0]));
        assert_eq!(last.download()?, arr1(&[9.0, 18.0]));
    }
    Ok(())
}

#[test]
fn closures_take_scalars_on_the_device_beside_those_that_they_captured() -> Result<()> {
    for device in Device::list()? {
        let offset = 0.5f32;
        let kernel = lift!(|factor: f32, a: [f32; N]| a >> map(|x| x * factor + offset)).on(&device)?;
        let factor = total::on(&device)?.enqueue(&[1.0f32, 1.0])?;
        assert_eq!(kernel.enqueue(&factor, &[1.0, 2.0])?.download()?, arr1(&[2.5, 4.5]));
        let mut out = device.upload(&[0.0f32; 2])?;
        kernel.enqueue_into(&factor, &[1.0, 2.0], &mut out)?;
        assert_eq!(out.download()?, arr1(&[2.5, 4.5]));
    }
    Ok(())
}

/// Conjugate gradients: in each step two scalars go from kernel to kernel, and nothing is read back.
#[test]
fn conjugate_gradients_stay_on_the_device() -> Result<()> {
    for device in Device::list()? {
        let length = 16;
        let matrix = lift::ndarray::Array2::from_shape_fn((length, length), |(i, j)| match i.abs_diff(j) {
            0 => 4.0f64,
            1 => -1.0,
            _ => 0.0,
        });
        let wanted: Array1<f64> = (0..length).map(|i| (i as f64 * 0.7).sin()).collect();
        let right = matrix.dot(&wanted);
        let (applied, dot) = (applied::on(&device)?, dot::on(&device)?);
        let (quotient, axpy) = (quotient::on(&device)?, axpy::on(&device)?);
        let negative = lift!(|x: f64, a: f64| (repeat(1, x), a * x)).on(&device)?;
        let matrix = device.upload(&matrix)?;
        let mut x = device.upload(&vec![0.0f64; length])?;
        let (mut r, mut p) = (device.upload(&right)?, device.upload(&right)?);
        let (mut next_x, mut next_r, mut next_p) =
            (device.upload(&right)?, device.upload(&right)?, device.upload(&right)?);
        let mut squares = dot.enqueue(&r, &r)?;
        for _ in 0..length {
            let image = applied.enqueue(&matrix, &p)?;
            let (_, alpha) = quotient.enqueue(&squares, &dot.enqueue(&p, &image)?)?;
            let (_, minus_alpha) = negative.enqueue(&alpha, -1.0)?;
            axpy.enqueue_into(&alpha, &p, &x, &mut next_x)?;
            axpy.enqueue_into(&minus_alpha, &image, &r, &mut next_r)?;
            let next_squares = dot.enqueue(&next_r, &next_r)?;
            let (_, beta) = quotient.enqueue(&next_squares, &squares)?;
            axpy.enqueue_into(&beta, &p, &next_r, &mut next_p)?;
            squares = next_squares;
            std::mem::swap(&mut x, &mut next_x);
            std::mem::swap(&mut r, &mut next_r);
            std::mem::swap(&mut p, &mut next_p);
        }
        let far = (x.download()? - &wanted).iter().fold(0.0f64, |far, x| far.max(x.abs()));
        assert!(far < 1e-6, "{device}: {far}");
    }
    Ok(())
}

#[test]
fn a_scalar_on_another_device_is_refused() -> Result<()> {
    let devices = Device::list()?;
    for (device, other) in devices.iter().zip(devices.iter().skip(1)) {
        let factor = total::on(other)?.enqueue(&[1.0f32])?;
        let error = scaled::on(device)?.enqueue(&factor, &[1.0]).expect_err("it is on another device");
        assert!(matches!(&error, Error::OtherDevice { argument, .. } if argument == "factor"), "{error}");
    }
    Ok(())
}
