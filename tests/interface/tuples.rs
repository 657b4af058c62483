//! Tuples as arguments and results: arrays of tuples are arrays of Rust tuples, tuples of arrays are tuples
//! of borrows.

use crate::common::{SHAPES, SIZES, grid, sample, samples};
use lift::ndarray::{Array1, Array2, Ix1, Ix2, arr1, arr2, s};
use lift::{Device, DeviceArray, Error, Result, lift};

include!("../../corpus/interface/tuples.rs");

/// Pairs of a sample and its position.
fn pairs(length: usize) -> Vec<(f32, i32)> {
    (0..length).map(|position| (sample(position), position as i32)).collect()
}

fn products_of(pairs: &[(f32, i32)]) -> Array1<f32> {
    pairs.iter().map(|&(x, k)| x * k as f32).collect()
}

#[test]
fn an_array_of_tuples_is_an_array_of_rust_tuples() -> Result<()> {
    for length in SIZES {
        let data = pairs(length);
        assert_eq!(products(&data)?, products_of(&data));
        assert_eq!(doubled(&data)?, products_of(&data) * 2.0);
    }
    Ok(())
}

#[test]
fn arrays_of_tuples_come_in_every_kind_of_host_data() -> Result<()> {
    let expected = arr1(&[0.5f32, 4.0]);
    assert_eq!(products(&[(0.5, 1), (2.0, 2)])?, expected);
    assert_eq!(products(&vec![(0.5, 1), (2.0, 2)])?, expected);
    assert_eq!(products([(0.5f32, 1), (2.0, 2)].as_slice())?, expected);
    assert_eq!(products(&Box::new([(0.5, 1), (2.0, 2)]))?, expected);
    assert_eq!(products(&arr1(&[(0.5, 1), (2.0, 2)]))?, expected);
    let gaps = arr1(&[(0.5, 1), (9.0, 9), (2.0, 2)]);
    assert_eq!(products(&gaps.slice(s![..;2]))?, expected);
    assert_eq!(products(&gaps.slice(s![..;2]).into_dyn())?, expected);
    // Arrays side by side are an array of tuples as well.
    assert_eq!(products(&([0.5, 2.0], vec![1, 2]))?, expected);
    Ok(())
}

#[test]
fn a_result_is_an_array_of_nested_tuples() -> Result<()> {
    for length in SIZES {
        let (xs, ks) = (samples(length), (0..length as i32).collect::<Vec<_>>());
        let result: Array1<(f32, (i32, bool))> = described(&xs, &ks)?;
        for (i, &(x, (k, negative))) in result.iter().enumerate() {
            assert_eq!((x, k, negative), (xs[i] + 1.0, ks[i] * 2, xs[i] < 0.0));
        }
        let back: Vec<f32> =
            result.iter().map(|&(x, (k, negative))| if negative { -x } else { x + k as f32 }).collect();
        assert_eq!(plain(&result)?.to_vec(), back);
    }
    Ok(())
}

#[test]
fn matrices_of_tuples_are_rearranged_like_others() -> Result<()> {
    for shape in SHAPES {
        let data = grid(shape).mapv(|x| (x, (x * 4.0) as i32));
        let expected = data.t().mapv(|(x, k)| (k, x));
        assert_eq!(exchanged(&data)?, expected);
    }
    assert_eq!(exchanged(&[[(0.5, 1), (1.5, 2)]])?, arr2(&[[(1, 0.5)], [(2, 1.5)]]));
    Ok(())
}

#[test]
fn a_tuple_of_arrays_is_passed_as_borrows_and_returned_as_arrays() -> Result<()> {
    for length in SIZES {
        let (a, b) = (samples(length), samples(length + 3)[3..].to_vec());
        let (first, second, sum) = with_sum((&a, b.as_slice()))?;
        let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        assert_eq!((first.to_vec(), second.to_vec(), sum.to_vec()), (a, b, expected));
    }
    Ok(())
}

#[test]
fn a_tuple_may_mix_arrays_of_all_ranks_and_numbers() -> Result<()> {
    for shape in [(1, 1), (3, 5), (64, 7), (7, 65)] {
        let (row, matrix) = (samples(shape.0), grid(shape));
        let (scaled, (moved, sum)): (Array2<f32>, (Array1<f32>, f32)) = mixed((&row, &matrix, 0.5))?;
        assert_eq!(scaled, matrix * 0.5);
        assert_eq!(moved.to_vec(), row.iter().map(|x| x + 0.5).collect::<Vec<_>>());
        assert_eq!(sum, row.iter().sum::<f32>());
    }
    Ok(())
}

#[test]
fn a_zip_is_a_result() -> Result<()> {
    let expected: Vec<(f32, i32)> = pairs(100);
    let (xs, ks): (Vec<f32>, Vec<i32>) = expected.iter().copied().unzip();
    assert_eq!(zipped(&xs, &ks)?.to_vec(), expected);
    assert_eq!(zipped(&Vec::<f32>::new(), &Vec::<i32>::new())?.len(), 0);
    Ok(())
}

#[test]
fn unzip_gives_the_components() -> Result<()> {
    for length in SIZES {
        let data = pairs(length);
        let (xs, ks): (Vec<f32>, Vec<i32>) = data.iter().copied().unzip();
        let ((first, second), count) = unzipped(&data)?;
        assert_eq!((first.to_vec(), second.to_vec(), count), (xs.clone(), ks, length as i32));
        let (doubled, negative) = apart(&xs)?;
        assert_eq!(doubled.to_vec(), xs.iter().map(|x| x * 2.0).collect::<Vec<_>>());
        assert_eq!(negative.to_vec(), xs.iter().map(|&x| x < 0.0).collect::<Vec<_>>());
    }
    // One kernel in each form: `elements` and `plain`.
    assert_eq!(apart::SOURCE.matches("mapGlb0").count(), 2, "{}", apart::SOURCE);
    assert_eq!(apart::SOURCE.matches("// The form").count(), 2, "{}", apart::SOURCE);
    Ok(())
}

#[test]
fn a_scan_accumulates_tuples() -> Result<()> {
    for length in SIZES {
        let data = pairs(length);
        let mut sum = (0.0, 0);
        let next = |&(x, k): &(f32, i32)| {
            let before = sum;
            sum = (sum.0 + x, sum.1 + k);
            before
        };
        let expected: Vec<(f32, i32)> = data.iter().rev().map(next).collect();
        assert_eq!(sums_before(&data)?.to_vec(), expected);
    }
    Ok(())
}

#[test]
fn numbers_in_tuples_go_by_value() -> Result<()> {
    assert_eq!(extremes(&[2.0, -3.5, 1.0])?, (-3.5, 2.0));
    assert_eq!(clamped((0.0, 1.0), &[-1.0, 0.5, 2.0])?.to_vec(), [0.0, 0.5, 1.0]);
    Ok(())
}

#[test]
fn the_opencl_level_takes_tuples() -> Result<()> {
    let data: Vec<(f32, f32)> = (0..1001).map(|i| (sample(i), sample(i + 7))).collect();
    let at = |i: isize| data[i.clamp(0, 1000) as usize];
    let sums = windows(&data)?;
    for (i, &(first, second)) in sums.iter().enumerate() {
        let window = [-1, 0, 1].map(|offset| at(i as isize + offset));
        assert_eq!(first, window.iter().map(|pair| pair.0).sum::<f32>());
        assert_eq!(second, window.iter().map(|pair| pair.1).sum::<f32>());
    }
    Ok(())
}

#[test]
fn tuples_are_written_into_memory_of_the_caller() -> Result<()> {
    let device = Device::default_device()?;
    let (xs, ks) = ([0.5f32, -2.0], [1, 2]);
    let expected = [(1.5f32, (2, false)), (-1.0, (4, true))];
    let kernel = described::on(&device)?;
    let mut array = [(0.0f32, (0, false)); 2];
    kernel.run_into(&xs, &ks, &mut array)?;
    assert_eq!(array, expected);
    let mut gaps = Array1::from_elem(3, (7.0f32, (7, true)));
    kernel.run_into(&xs, &ks, &mut gaps.slice_mut(s![..;2]))?;
    assert_eq!(gaps.to_vec(), [expected[0], (7.0, (7, true)), expected[1]]);

    let (mut a, mut b, mut sum) = ([0.0f32; 2], vec![0.0f32; 2], Array1::zeros(2));
    let kernel = with_sum::on(&device)?;
    kernel.run_into((&[1.0, 2.0], &[3.0, 4.0]), (&mut a, &mut b, &mut sum))?;
    assert_eq!((a, b, sum), ([1.0, 2.0], vec![3.0, 4.0], arr1(&[4.0, 6.0])));

    let (mut low, mut high) = (0.0, 0.0);
    extremes::on(&device)?.run_into(&[2.0, -3.5], (&mut low, &mut high))?;
    assert_eq!((low, high), (-3.5, 2.0));
    Ok(())
}

#[test]
fn a_destination_of_tuples_is_left_as_it_was_on_an_error() -> Result<()> {
    let device = Device::default_device()?;
    let mut short = vec![(7.0f32, 7); 2];
    let error =
        zipped::on(&device)?.run_into(&[1.0, 2.0, 3.0], &[1, 2, 3], &mut short).expect_err("two are too few");
    assert!(matches!(error, Error::DestinationShape { .. }), "{error}");
    assert_eq!(short, [(7.0, 7), (7.0, 7)]);

    let (mut a, mut b, mut sum) = (vec![7.0f32; 3], vec![7.0f32; 3], vec![7.0f32; 2]);
    let rows = (&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]);
    let error = with_sum::on(&device)?
        .run_into(rows, (&mut a, &mut b, &mut sum))
        .expect_err("the last one is too short");
    assert!(matches!(error, Error::DestinationShape { .. }), "{error}");
    assert_eq!((a, b), (vec![7.0; 3], vec![7.0; 3]));
    Ok(())
}

#[test]
fn device_arrays_of_the_components_stay_on_the_device() -> Result<()> {
    let device = Device::default_device()?;
    let (xs, ks) = (samples(100), (0..100).collect::<Vec<i32>>());
    let on_device: DeviceArray<(f32, i32), Ix1> =
        zipped::on(&device)?.enqueue(&device.upload(&xs)?, &device.upload(&ks)?)?;
    let result = products::on(&device)?.enqueue(&on_device)?;
    assert_eq!(result.download()?, products_of(&pairs(100)));
    // Components, side by side, and host data beside device arrays.
    let (first, second) = on_device.unzip();
    assert_eq!(products(&(&first, &second))?, products_of(&pairs(100)));
    assert_eq!(products(&(&first, &ks))?, products_of(&pairs(100)));

    let rows = (&first, &device.upload(&xs)?);
    let (first, _, sum) = with_sum::on(&device)?.enqueue(rows)?;
    assert_eq!(first.download()?.to_vec(), xs);
    assert_eq!(sum.download()?.to_vec(), xs.iter().map(|x| x * 2.0).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn arrays_of_tuples_are_uploaded_passed_on_and_downloaded() -> Result<()> {
    for device in Device::list()? {
        for length in SIZES {
            let data = pairs(length);
            let on_device = device.upload(&data)?;
            assert_eq!(on_device.download()?.to_vec(), data);
            let kernel = sums_before::on(&device)?;
            assert_eq!(kernel.enqueue(&on_device)?.download()?, kernel.run(&data)?);
            assert_eq!(products::on(&device)?.enqueue(&on_device)?.download()?, products_of(&data));
        }
        for shape in SHAPES {
            let data = grid(shape).mapv(|x| (x, (x * 4.0) as i32));
            let kernel = exchanged::on(&device)?;
            let there: DeviceArray<(i32, f32), Ix2> = kernel.enqueue(&device.upload(&data)?)?;
            assert_eq!(there.download()?, kernel.run(&data)?);
        }
        // Tuples in tuples.
        let (xs, ks) = (samples(100), (0..100).collect::<Vec<i32>>());
        let there = described::on(&device)?.enqueue(&device.upload(&xs)?, &ks)?;
        assert_eq!(there.download()?, described::on(&device)?.run(&xs, &ks)?);
        let back = plain::on(&device)?.enqueue(&there)?;
        assert_eq!(back.download()?, plain::on(&device)?.run(&there.download()?)?);
        assert_eq!(there.unzip().1.unzip().0.download()?, ks.iter().map(|k| k * 2).collect::<Array1<i32>>());
    }
    Ok(())
}

#[test]
fn tuples_come_with_a_profile() -> Result<()> {
    let device = Device::default_device()?;
    let (result, profile) = zipped::on(&device)?.profile(&[0.5], &[3])?;
    assert_eq!(result.to_vec(), [(0.5, 3)]);
    assert!(profile.kernels.iter().any(|kernel| kernel.name.contains("zipped")), "{profile:?}");
    let ((low, high), _) = extremes::on(&device)?.profile(&[2.0, -3.5])?;
    assert_eq!((low, high), (-3.5, 2.0));
    Ok(())
}

/// The message of a call that must fail before anything is launched.
fn refusal<T: std::fmt::Debug>(result: Result<T>) -> String {
    result.expect_err("the call must be refused").to_string()
}

#[test]
fn components_of_different_lengths_are_refused_by_name() {
    let message = refusal(with_sum((&samples(3), &samples(4))));
    assert!(
        message.contains("`rows.1`") && message.contains('4') && message.contains("`N` is 3"),
        "{message}"
    );
    let message = refusal(products(&(samples(3), vec![1, 2])));
    assert!(message.contains("`pairs.1`") && message.contains("`N` is 3"), "{message}");
    let data = (samples(3), samples(5));
    let message = refusal(lift!({
        let (a, b) = data;
        zip(a, b) >> map(add)
    }));
    assert!(message.contains("`data.1`") && message.contains("len(data.0)"), "{message}");
}

#[test]
fn an_expression_uses_arrays_of_tuples_and_tuples_of_arrays() -> Result<()> {
    let points = vec![(1.0f32, 2.0f32), (3.0, 4.0)];
    assert_eq!(lift!(map(|(x, y)| x * y, points))?.to_vec(), [2.0, 12.0]);
    // The element types are open: each component has its own.
    let counted = [(1i64, 2u8), (3, 4)];
    let exchanged = lift!(counted >> map(|(a, b)| (b, a + a)))?;
    assert_eq!(exchanged.to_vec(), [(2u8, 2i64), (4, 6)]);
    let data = (vec![1.0f64, 2.0], [0.5, 0.25]);
    assert_eq!(
        lift!({
            let (a, b) = data;
            zip(a, b) >> map(mult)
        })?
        .to_vec(),
        [0.5, 0.5]
    );
    let interval = (0, 10);
    let a = [-5, 5, 50];
    assert_eq!(
        lift!({
            let (low, high) = interval;
            map(|x| min(max(x, low), high), a)
        })?
        .to_vec(),
        [0, 5, 10]
    );
    Ok(())
}

#[test]
fn an_expression_gives_tuples() -> Result<()> {
    let a = samples(50);
    let (doubled, squared) = lift!((map(|x| x * 2, a), map(|x| x * x, a)))?;
    assert_eq!(doubled.to_vec(), a.iter().map(|x| x * 2.0).collect::<Vec<_>>());
    assert_eq!(squared.to_vec(), a.iter().map(|x| x * x).collect::<Vec<_>>());
    let both = lift!(map(|x| (x * 2, x < 0), a))?;
    assert_eq!(both.to_vec(), a.iter().map(|x| (x * 2.0, *x < 0.0)).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn a_closure_takes_captures_and_gives_tuples() -> Result<()> {
    let interval = (0.0f32, 1.0f32);
    let kernel = lift!(|points: [(f32, f32); N]| {
        let (low, high) = interval;
        points >> map(|(x, y)| (max(low, x), min(high, y)))
    });
    assert_eq!(kernel.run(&[(-1.0, 0.5), (0.5, 3.0)])?.to_vec(), [(0.0, 0.5), (0.5, 1.0)]);
    let sums = lift!(|rows: ([f32; N], [f32; N])| zip(rows.0, rows.1) >> map(add));
    assert_eq!(sums.run((&[1.0, 2.0], &vec![3.0, 4.0]))?.to_vec(), [4.0, 6.0]);
    let mut out = [0.0; 2];
    sums.run_into((&[1.0, 2.0], &[3.0, 4.0]), &mut out)?;
    assert_eq!(out, [4.0, 6.0]);
    Ok(())
}
