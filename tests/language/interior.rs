//! Code for the interior beside that for the border, windows that roll through a reduction, and a launch for
//! each kernel.

use lift::{Result, lift};

include!("../../corpus/language/interior.rs");

/// Sums of the neighbourhoods of this many elements on each side; `at` finds the element for a position
/// outside.
fn sums(a: &[f32], each_side: i64, at: fn(i64, i64) -> i64) -> Vec<f32> {
    let n = a.len() as i64;
    (0..n).map(|i| (i - each_side..=i + each_side).map(|k| a[at(k, n) as usize]).sum()).collect()
}

fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i * i % 23) as f32 - 7.0).collect()
}

#[test]
fn tiles_agree_with_loops_with_and_without_an_interior() -> Result<()> {
    for n in [8, 16, 24, 32, 80] {
        let a = numbers(n);
        assert_eq!(clamped(&a)?.to_vec(), sums(&a, 4, |k, n| k.clamp(0, n - 1)), "clamp, {n}");
        let mirror = |k: i64, n: i64| {
            if k < 0 {
                -1 - k
            } else if k >= n {
                2 * n - 1 - k
            } else {
                k
            }
        };
        assert_eq!(mirrored(&a)?.to_vec(), sums(&a, 4, mirror), "mirror, {n}");
        assert_eq!(wrapped(&a)?.to_vec(), sums(&a, 4, |k, n| k.rem_euclid(n)), "wrap, {n}");
    }
    for source in [clamped::SOURCE, mirrored::SOURCE, wrapped::SOURCE] {
        assert!(source.contains("if (0 < wg_id0 && wg_id0 + 1 < N / 8)"), "{source}");
        assert!(source.contains("((global const float4*)a)"), "{source}");
    }
    Ok(())
}

#[test]
fn a_border_wider_than_the_array_has_no_interior() -> Result<()> {
    for n in [1, 5, 39, 40, 41, 42, 100] {
        let a = numbers(n);
        assert_eq!(wide(&a)?.to_vec(), sums(&a, 20, |k, n| k.rem_euclid(n)), "{n}");
    }
    assert!(wide::SOURCE.contains("} else {"), "{}", wide::SOURCE);
    Ok(())
}

#[test]
fn windows_roll_through_a_reduction() -> Result<()> {
    for n in [1, 2, 3, 7, 18] {
        let rows: Vec<Vec<f32>> = (0..3).map(|row| numbers(n + 2 + row)[row..].to_vec()).collect();
        let a = lift::ndarray::Array2::from_shape_fn((3, n + 2), |(row, i)| rows[row][i]);
        let w = numbers(n);
        let expected: Vec<f32> = rows
            .iter()
            .map(|row| (0..n).map(|i| w[i] * (row[i] + 2.0 * row[i + 1] - row[i + 2])).sum())
            .collect();
        assert_eq!(rolled(&a, &w)?.to_vec(), expected, "{n}");
    }
    assert!(rolled::SOURCE.contains("#pragma unroll 3"), "{}", rolled::SOURCE);
    Ok(())
}

#[test]
fn each_kernel_has_its_launch() -> Result<()> {
    for n in [1, 2, 9] {
        let a = numbers(n);
        let squares: Vec<f32> = a.iter().map(|x| x * x).collect();
        assert_eq!(in_two_kernels(&a)?.to_vec(), sums(&squares, 1, |k, n| k.clamp(0, n - 1)), "{n}");
    }
    let groups: Vec<&str> =
        in_two_kernels::SOURCE.lines().filter(|line| line.contains("reqd_work_group_size")).collect();
    assert!(groups[0].contains("(4, 1, 1)") && groups[1].contains("(2, 1, 1)"), "{groups:?}");
    Ok(())
}
