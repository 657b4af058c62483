//! Closures are kernel values, generic where their parameters have no type.

use lift::{Device, Result, lift};

#[test]
fn a_closure_without_types_takes_elements_of_any_type() -> Result<()> {
    let sum = lift!(|a, b| zip(a, b) >> map(|x, y| x + y));
    assert_eq!(sum.run(&[1u8, 2], &vec![4, 5])?.to_vec(), [5, 7]);
    assert_eq!(sum.run(&[0.5f64, 2.0], &[1.0, 1.0])?.to_vec(), [1.5, 3.0]);
    Ok(())
}

#[test]
fn a_captured_number_fixes_the_element_type() -> Result<()> {
    let factor = 3i16;
    let scale = lift!(|a| map(|x| x * factor, a));
    assert_eq!(scale.run(&[1, 2])?.to_vec(), [3, 6]);
    Ok(())
}

#[test]
fn a_captured_size_is_kept() -> Result<()> {
    let mut n = 2usize;
    let sums = lift!(|a: [f64; 4]| a >> split(n) >> map(reduce(add, 0)));
    n += 1;
    assert_eq!(n, 3);
    assert_eq!(sums.run(&[1.0, 2.0, 3.0, 4.0])?.to_vec(), [3.0, 7.0]);
    Ok(())
}

#[test]
fn a_scalar_result_is_written_into_a_scalar() -> Result<()> {
    let total = lift!(|a: [f32; N]| reduce(add, 0, a));
    let mut result = 0.0;
    total.run_into(&[1.0, 2.0, 3.5], &mut result)?;
    assert_eq!(result, 6.5);
    Ok(())
}

#[test]
fn a_closure_runs_on_every_device_that_is_chosen() -> Result<()> {
    let (factor, n) = (3.0f32, 2usize);
    let scaled_sums = lift!(|a: [f32; N]| a >> split(n) >> map(|row| factor * reduce(add, 0, row)));
    for device in Device::list()? {
        let kernel = scaled_sums.on(&device)?;
        let expected = [9.0, 21.0];
        assert_eq!(kernel.run(&[1.0, 2.0, 3.0, 4.0])?.to_vec(), expected, "{device}");
        let mut out = [0.0; 2];
        kernel.run_into(&[1.0, 2.0, 3.0, 4.0], &mut out)?;
        assert_eq!(out, expected, "{device}");
        let on_device = kernel.enqueue(&device.upload(&[1.0f32, 2.0, 3.0, 4.0])?)?;
        assert_eq!(on_device.download()?.to_vec(), expected, "{device}");
        let (result, profile) = kernel.profile(&[1.0, 2.0, 3.0, 4.0])?;
        assert_eq!(result.to_vec(), expected, "{device}");
        assert!(!profile.kernels.is_empty(), "{device}");
        for kernel in [kernel.clone().specialised(), kernel.clone().unspecialised()] {
            assert_eq!(kernel.run(&[1.0, 2.0, 3.0, 4.0])?.to_vec(), expected, "{device}");
        }
        let error = kernel.run(&[1.0, 2.0, 3.0]).expect_err("2 does not divide 3");
        assert!(error.to_string().contains("`split(n)`"), "{error}");
    }
    Ok(())
}

#[test]
fn a_closure_with_open_element_types_runs_on_every_device_that_is_chosen() -> Result<()> {
    let remainders = lift!(|a, b| zip(a, b) >> map(|x, y| x % y));
    let factor = 3i16;
    let scale = lift!(|a| map(|x| x * factor, a));
    for device in Device::list()? {
        let remainders = remainders.on(&device)?;
        assert_eq!(remainders.run(&[7i32, 8], &[4, 5])?.to_vec(), [3, 3], "{device}");
        assert_eq!(remainders.run(&[7u8, 8], &[4, 5])?.to_vec(), [3, 3], "{device}");
        assert_eq!(scale.on(&device)?.run(&[1, 2])?.to_vec(), [3, 6], "{device}");
    }
    Ok(())
}
