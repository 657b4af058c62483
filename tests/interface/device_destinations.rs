//! `enqueue_into`: results are written into device arrays of the caller's, on every device.

use crate::common::{SIZES, grid, samples};
use lift::ndarray::{Array1, Array2, Ix0, Ix1, Ix2, arr1};
use lift::{Device, DeviceArray, Error, Result, lift};

include!("../../corpus/interface/tuples.rs");

lift! {
    /// Every element times a factor.
    fn scaled<const N: usize>(factor: f32, a: [f32; N]) -> [f32; N] {
        a >> map(|x| x * factor)
    }

    /// A matrix with its rows as columns.
    fn turned<T: Element, const N: usize, const M: usize>(a: [[T; M]; N]) -> [[T; N]; M] {
        transpose(a)
    }

    /// The sum of the elements, which takes several kernels.
    fn total<const N: usize>(a: [f32; N]) -> f32 {
        a >> reduce(add, 0)
    }

    /// Vectors twice as long.
    fn doubled_vectors<const N: usize>(a: [f32x4; N]) -> [f32x4; N] {
        a >> map(|v| v + v)
    }

    /// Steps of which each takes the array of the one before.
    fn steps<const N: usize>(n: usize, a: [f32; N]) -> [f32; N] {
        iterate(n, |a| a >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(add, 0)), a)
    }
}

#[test]
fn two_arrays_take_turns() -> Result<()> {
    for device in Device::list()? {
        let kernel = scaled::on(&device)?;
        for length in SIZES {
            let data = samples(length);
            let (mut now, mut next) = (device.upload(&data)?, device.upload(&data)?);
            for _ in 0..6 {
                kernel.enqueue_into(0.5, &now, &mut next)?;
                std::mem::swap(&mut now, &mut next);
            }
            assert_eq!(now.download()?, Array1::from(data.clone()) / 64.0, "{device}");
            assert_eq!(next.download()?, Array1::from(data) / 32.0, "{device}");
        }
    }
    Ok(())
}

#[test]
fn results_of_every_shape_have_a_destination() -> Result<()> {
    for device in Device::list()? {
        // A scalar.
        let data = samples(1000);
        let kernel = total::on(&device)?;
        let mut sum: DeviceArray<f32, Ix0> = kernel.enqueue(&[0.0f32])?;
        kernel.enqueue_into(&data, &mut sum)?;
        assert_eq!(sum.download()?.into_scalar(), kernel.run(&data)?);

        // A matrix of an element type that the arguments decide.
        let matrix = grid((7, 12));
        let mut columns: DeviceArray<f32, Ix2> = device.upload(&Array2::zeros((12, 7)))?;
        turned::on(&device)?.enqueue_into(&matrix, &mut columns)?;
        assert_eq!(columns.download()?, matrix.t());
        let mut bytes = device.upload(&[[0u8]; 3])?;
        turned::on(&device)?.enqueue_into(&[[1u8, 2, 3]], &mut bytes)?;
        assert_eq!(bytes.download()?.into_raw_vec_and_offset().0, [1, 2, 3]);

        // Vectors, whose components are the last dimension.
        let mut vectors: DeviceArray<f32, Ix2> = device.upload(&[[0.0f32; 4]; 2])?;
        doubled_vectors::on(&device)?.enqueue_into(&[[1.0, 2.0, 3.0, 4.0], [0.5; 4]], &mut vectors)?;
        assert_eq!(vectors.download()?.row(0).to_vec(), [2.0, 4.0, 6.0, 8.0]);

        // An array of tuples, tuples in tuples, and a tuple of arrays and scalars.
        let (xs, ks) = (samples(50), (0..50).collect::<Vec<i32>>());
        let mut pairs = device.upload(&vec![(0.0f32, 0); 50])?;
        zipped::on(&device)?.enqueue_into(&xs, &ks, &mut pairs)?;
        assert_eq!(pairs.download()?, zipped::on(&device)?.run(&xs, &ks)?);
        let mut nested = device.upload(&vec![(0.0f32, (0, false)); 50])?;
        described::on(&device)?.enqueue_into(&xs, &ks, &mut nested)?;
        assert_eq!(nested.download()?, described::on(&device)?.run(&xs, &ks)?);
        let (mut low, mut high) = extremes::on(&device)?.enqueue(&[0.0f32])?;
        extremes::on(&device)?.enqueue_into(&xs, (&mut low, &mut high))?;
        assert_eq!(
            (low.download()?.into_scalar(), high.download()?.into_scalar()),
            extremes::on(&device)?.run(&xs)?
        );
        let rows = grid((50, 3));
        let (mut scaled, (mut moved, mut sum)) = mixed::on(&device)?.enqueue((&xs, &rows, 0.0))?;
        mixed::on(&device)?.enqueue_into((&xs, &rows, 0.5), (&mut scaled, (&mut moved, &mut sum)))?;
        let expected = mixed::on(&device)?.run((&xs, &rows, 0.5))?;
        assert_eq!((scaled.download()?, (moved.download()?, sum.download()?.into_scalar())), expected);

        // A closure, an empty array, and kernels that are launched again and again.
        let closure = lift!(|a: [f32; N]| a >> map(|x| x + 1.0));
        let mut more = device.upload(&[0.0f32; 3])?;
        closure.on(&device)?.enqueue_into(&[1.0, 2.0, 3.0], &mut more)?;
        assert_eq!(more.download()?, arr1(&[2.0, 3.0, 4.0]));
        let mut none = device.upload(&Vec::<f32>::new())?;
        closure.on(&device)?.enqueue_into(&Vec::<f32>::new(), &mut none)?;
        assert_eq!(none.download()?.len(), 0);
        let data = samples(300);
        let mut last = device.upload(&data)?;
        for n in [0, 1, 2, 5] {
            steps::on(&device)?.enqueue_into(n, &data, &mut last)?;
            assert_eq!(last.download()?, steps::on(&device)?.run(n, &data)?, "{n} steps");
        }
    }
    Ok(())
}

#[test]
fn a_destination_of_another_shape_is_refused_and_not_touched() -> Result<()> {
    for device in Device::list()? {
        let mut short = device.upload(&[7.0f32, 7.0])?;
        let error = scaled::on(&device)?.enqueue_into(2.0, &[1.0, 2.0, 3.0], &mut short);
        let error = error.expect_err("two are too few");
        assert!(matches!(error, Error::DestinationShape { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            "the destination has the shape [2], but the result of `scaled` has the shape [3]"
        );
        assert_eq!(short.download()?.to_vec(), [7.0, 7.0]);

        // The last of several.
        let (mut a, mut b, mut sum) =
            (device.upload(&[7.0f32; 2])?, device.upload(&[7.0f32; 2])?, device.upload(&[7.0f32; 3])?);
        let error = with_sum::on(&device)?
            .enqueue_into((&[1.0, 2.0], &[3.0, 4.0]), (&mut a, &mut b, &mut sum))
            .expect_err("three are too many");
        assert!(matches!(error, Error::DestinationShape { .. }), "{error}");
        assert_eq!((a.download()?.to_vec(), b.download()?.to_vec()), (vec![7.0; 2], vec![7.0; 2]));
    }
    Ok(())
}

#[test]
fn a_destination_that_shares_its_memory_is_refused_and_not_touched() -> Result<()> {
    for device in Device::list()? {
        let refused = |result: Result<()>| {
            let error = result.expect_err("the memory is shared");
            assert!(matches!(error, Error::SharedDestination { .. }), "{error}");
            assert!(error.to_string().starts_with("the destination of `"), "{error}");
        };
        let kernel = scaled::on(&device)?;
        // With the argument of the call.
        let a = device.upload(&[1.0f32, 2.0])?;
        let mut clone = a.clone();
        refused(kernel.enqueue_into(2.0, &a, &mut clone));
        // With an array that was uploaded from it, also if that is no argument.
        let mut uploaded = device.upload(&a)?;
        drop(clone);
        refused(kernel.enqueue_into(2.0, &[3.0f32, 4.0], &mut uploaded));
        assert_eq!((a.download()?.to_vec(), uploaded.download()?.to_vec()), (vec![1.0, 2.0], vec![1.0, 2.0]));
        // Once nobody shares it, it is a destination like any other.
        drop(a);
        kernel.enqueue_into(2.0, &[3.0f32, 4.0], &mut uploaded)?;
        assert_eq!(uploaded.download()?.to_vec(), [6.0, 8.0]);

        // Two results in one memory, and one component of an array of tuples.
        let mut pairs: DeviceArray<(f32, i32), Ix1> = device.upload(&[(1.0f32, 2)])?;
        let (mut numbers, _) = pairs.unzip();
        refused(kernel.enqueue_into(2.0, &[3.0f32], &mut numbers));
        refused(zipped::on(&device)?.enqueue_into(&[3.0f32], &[4], &mut pairs));
        drop(numbers);
        zipped::on(&device)?.enqueue_into(&[3.0f32], &[4], &mut pairs)?;
        assert_eq!(pairs.download()?.to_vec(), [(3.0, 4)]);
        let twice = device.upload(&[0.0f32])?;
        let mut twice = device.upload(&(&twice, &twice))?;
        refused(windows::on(&device)?.enqueue_into(&[(1.0f32, 2.0f32)], &mut twice));
    }
    Ok(())
}

#[test]
fn a_destination_on_another_device_is_refused() -> Result<()> {
    let devices = Device::list()?;
    for (device, other) in devices.iter().zip(devices.iter().skip(1)) {
        let mut there = other.upload(&[7.0f32])?;
        let error = scaled::on(device)?.enqueue_into(2.0, &[1.0], &mut there);
        let error = error.expect_err("it is on another device");
        assert!(matches!(&error, Error::OtherDevice { argument, .. } if argument == "out"), "{error}");
        assert_eq!(there.download()?.to_vec(), [7.0]);
    }
    Ok(())
}

#[test]
fn a_kernel_that_is_specialised_for_its_sizes_writes_there_too() -> Result<()> {
    for device in Device::list()? {
        let kernel = scaled::on(&device)?.specialised();
        let mut out = device.upload(&[0.0f32; 2])?;
        kernel.enqueue_into(2.0, &[1.0, 2.0], &mut out)?;
        assert_eq!(out.download()?.to_vec(), [2.0, 4.0]);
    }
    Ok(())
}
