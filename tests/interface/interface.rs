//! What a generated function takes, returns and refuses.

use crate::common::{grid, samples};
use lift::ndarray::{Array1, Array2, ArrayD, IxDyn, arr1, arr2, s};
use lift::{Device, Error, Result, lift};

lift! {
    /// Every element times a factor.
    pub fn scale<const N: usize>(factor: f32, a: [f32; N]) -> [f32; N] {
        map(|x| x * factor, a)
    }

    /// The element-wise sum of two matrices.
    pub fn sum<const N: usize, const M: usize>(a: [[f32; M]; N], b: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2(a, b) >> map2(add)
    }

    /// The sum of the elements.
    pub fn total<const N: usize>(a: [f32; N]) -> f32 {
        reduce(add, 0, a)
    }

    /// The sums of chunks of 4.
    pub fn quarters<const N: usize>(a: [f32; N]) -> [f32; N / 4] {
        a >> split(4) >> map(reduce(add, 0))
    }

    /// The sums of triples.
    pub fn triples<const N: usize>(a: [f32; 3 * N]) -> [f32; N] {
        a >> split(3) >> map(reduce(add, 0))
    }

    /// `a` in double precision.
    pub fn halves<const N: usize>(a: [f64; N]) -> [f64; N] {
        map(|x| x / 2, a)
    }
}

#[test]
fn an_input_is_any_kind_of_host_data() -> Result<()> {
    let expected = arr1(&[2.0f32, 4.0, 6.0]);
    assert_eq!(scale(2.0, &[1.0, 2.0, 3.0])?, expected);
    assert_eq!(scale(2.0, &vec![1.0, 2.0, 3.0])?, expected);
    assert_eq!(scale(2.0, [1.0f32, 2.0, 3.0].as_slice())?, expected);
    assert_eq!(scale(2.0, &Box::new([1.0, 2.0, 3.0]))?, expected);
    assert_eq!(scale(2.0, &arr1(&[1.0, 2.0, 3.0]))?, expected);
    assert_eq!(scale(2.0, &arr1(&[1.0, 9.0, 2.0, 9.0, 3.0]).slice(s![..;2]))?, expected);
    assert_eq!(
        scale(2.0, &ArrayD::from_shape_vec(IxDyn(&[3]), vec![1.0, 2.0, 3.0]).expect("three"))?,
        expected
    );

    let matrix = arr2(&[[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    let rows = [[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]];
    assert_eq!(sum(&matrix, &rows)?, &matrix * 2.0);
    assert_eq!(sum(&Box::new(rows), &rows.to_vec())?, &matrix * 2.0);
    let transposed = matrix.t().to_owned();
    assert_eq!(sum(&transposed.t(), &matrix)?, &matrix * 2.0);
    Ok(())
}

#[test]
fn results_are_arrays_of_their_rank_or_scalars() -> Result<()> {
    let vector: Array1<f32> = scale(0.5, &samples(7))?;
    let matrix: Array2<f32> = sum(&grid((2, 3)), &grid((2, 3)))?;
    let scalar: f32 = total(&[1.0, 2.0, 3.5])?;
    assert_eq!((vector.len(), matrix.dim(), scalar), (7, (2, 3), 6.5));
    Ok(())
}

#[test]
fn double_precision_stays_double() -> Result<()> {
    assert_eq!(halves(&[0.1, 1e300])?.to_vec(), [0.05, 5e299]);
    Ok(())
}

#[test]
fn empty_arrays_give_empty_results() -> Result<()> {
    assert_eq!(scale(2.0, &Vec::<f32>::new())?.len(), 0);
    assert_eq!(sum(&Array2::<f32>::zeros((0, 3)), &Array2::<f32>::zeros((0, 3)))?.dim(), (0, 3));
    assert_eq!(total(&Vec::<f32>::new())?, 0.0);
    Ok(())
}

#[test]
fn a_kernel_runs_into_memory_of_the_caller() -> Result<()> {
    let kernel = scale::on(&Device::default_device()?)?;
    let mut vector = vec![0.0f32; 3];
    kernel.run_into(3.0, &[1.0, 2.0, 3.0], &mut vector)?;
    assert_eq!(vector, [3.0, 6.0, 9.0]);
    let mut array = Array1::<f32>::zeros(3);
    kernel.run_into(3.0, &[1.0, 2.0, 3.0], &mut array)?;
    assert_eq!(array.to_vec(), [3.0, 6.0, 9.0]);

    let mut short = vec![7.0f32; 2];
    let error = kernel.run_into(3.0, &[1.0, 2.0, 3.0], &mut short).expect_err("two are too few");
    assert!(matches!(error, Error::DestinationShape { .. }), "{error}");
    assert_eq!(short, [7.0, 7.0]);
    Ok(())
}

#[test]
fn device_arrays_stay_on_the_device_between_calls() -> Result<()> {
    let device = Device::default_device()?;
    let kernel = scale::on(&device)?;
    let mut a = device.upload(&samples(100))?;
    for _ in 0..3 {
        a = kernel.enqueue(2.0, &a)?;
    }
    let expected: Vec<f32> = samples(100).iter().map(|x| x * 8.0).collect();
    assert_eq!(a.download()?.to_vec(), expected);
    assert_eq!(a.shape(), [100]);
    // A plain call takes a device array and returns host data.
    assert_eq!(scale(0.125, &a)?.to_vec(), samples(100));
    Ok(())
}

#[test]
fn a_profile_names_the_kernels() -> Result<()> {
    let (result, profile) = scale::on(&Device::default_device()?)?.profile(2.0, &samples(1000))?;
    assert_eq!(result.len(), 1000);
    assert!(profile.kernels.iter().any(|kernel| kernel.name.contains("scale")), "{profile:?}");
    Ok(())
}

#[test]
fn an_item_shows_its_opencl_source() {
    assert!(scale::SOURCE.contains("void scale("), "{}", scale::SOURCE);
}

#[test]
fn kernels_are_called_from_several_threads() -> Result<()> {
    let kernel = scale::on(&Device::default_device()?)?;
    let kernel = &kernel;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (1..9)
            .map(|factor| {
                scope.spawn(move || -> Result<()> {
                    for n in [1, 100, 1000] {
                        let expected: Vec<f32> = samples(n).iter().map(|x| x * factor as f32).collect();
                        assert_eq!(kernel.run(factor as f32, &samples(n))?.to_vec(), expected);
                        assert_eq!(scale(factor as f32, &samples(n))?.to_vec(), expected);
                    }
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })
}

/// The message of a call that must fail before anything is launched.
fn refusal<T: std::fmt::Debug>(result: Result<T>) -> String {
    result.expect_err("the call must be refused").to_string()
}

#[test]
fn arrays_whose_sizes_disagree_are_refused_with_both_names() {
    let message = refusal(sum(&grid((2, 3)), &grid((2, 4))));
    assert!(message.contains("`b`") && message.contains('4') && message.contains("`M` is 3"), "{message}");

    let (left, right) = (samples(3), samples(4));
    let message = refusal(lift!(zip(left, right) >> map(add)));
    assert!(message.contains("`right`") && message.contains("len(left)"), "{message}");
}

#[test]
fn a_length_that_cannot_be_split_is_refused() {
    let message = refusal(quarters(&samples(10)));
    assert!(message.contains("split") && message.contains("10"), "{message}");
    let message = refusal(triples(&samples(10)));
    assert!(message.contains("`a`") && message.contains("10") && message.contains("3 * N"), "{message}");
    let (a, n) = (samples(10), 3usize);
    let message = refusal(lift!(a >> split(n) >> map(reduce(add, 0))));
    assert!(message.contains("split(n)"), "{message}");
}

#[test]
fn a_window_that_is_larger_than_the_array_is_refused() {
    let a = samples(2);
    let message = refusal(lift!(a >> slide(3, 1) >> map(reduce(add, 0))));
    assert!(message.contains("len(a)") || message.contains("slide"), "{message}");
    let none: Vec<f32> = Vec::new();
    let message = refusal(lift!(none >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(add, 0))));
    assert!(message.contains("len(none)"), "{message}");
}

#[test]
fn a_dynamic_array_of_another_rank_is_refused() {
    let matrix = ArrayD::<f32>::zeros(IxDyn(&[2, 3]));
    let message = refusal(scale(1.0, &matrix));
    assert!(message.contains("`a`") && message.contains('2') && message.contains('1'), "{message}");
}

#[test]
fn a_kernel_with_its_sizes_as_constants_gives_the_same() -> Result<()> {
    let matrix = grid((30, 20));
    let expected = &matrix * 2.0;
    for device in Device::list()? {
        let kernel = sum::on(&device)?.specialised();
        assert_eq!(kernel.run(&matrix, &matrix)?, expected);
        let mut out = Array2::<f32>::zeros((30, 20));
        kernel.clone().run_into(&matrix, &matrix, &mut out)?;
        assert_eq!(out, expected);
        let uploaded = device.upload(&matrix)?;
        assert_eq!(kernel.enqueue(&uploaded, &uploaded)?.download()?, expected);
        assert_eq!(kernel.profile(&matrix, &matrix)?.0, expected);
        assert_eq!(sum::on(&device)?.unspecialised().run(&matrix, &matrix)?, expected);
        // Other sizes are another build of the same kernel.
        assert_eq!(kernel.run(&[[1.0], [2.0]], &[[3.0], [4.0]])?, arr2(&[[4.0], [6.0]]));
        assert!(matches!(kernel.run(&matrix, &matrix.t()), Err(Error::SizeMismatch(_))));
    }
    Ok(())
}
