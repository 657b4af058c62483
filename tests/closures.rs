//! Closures are kernel values, generic where their parameters have no type.

use lift::{Result, lift};

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
