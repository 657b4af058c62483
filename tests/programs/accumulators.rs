//! Accumulators that are arrays, in every memory, made by one work-item or by the work-items of a group,
//! against plain loops.

use lift::lift;
use lift::ndarray::Array3;

include!("../../corpus/programs/accumulators.rs");

fn numbers(shape: (usize, usize, usize)) -> Array3<i32> {
    Array3::from_shape_fn(shape, |(i, j, k)| ((i * 31 + j * 17 + k * 7) % 23) as i32 - 11)
}

/// The last accumulator of every row of rows; each element is made of the one at a distance.
fn expected(a: &Array3<i32>, distance: usize) -> Vec<i32> {
    let (rows, steps, length) = a.dim();
    let mut all = Vec::new();
    for row in 0..rows {
        let mut accumulator = vec![1i32; length];
        for step in 0..steps {
            let at = |i: usize| accumulator[(i + distance) % length].wrapping_mul(3);
            accumulator = (0..length).map(|i| at(i).wrapping_add(a[[row, step, i]])).collect();
        }
        all.extend(accumulator);
    }
    all
}

#[test]
fn work_items_of_a_group_accumulate_arrays_together() -> lift::Result<()> {
    for n in [1, 3] {
        let a = numbers((n, 8, 64));
        let (own, others) = (expected(&a, 0), expected(&a, 1));
        assert_eq!(shared_out(&a)?.into_raw_vec_and_offset().0, own);
        assert_eq!(in_local_memory(&a)?.into_raw_vec_and_offset().0, own);
        assert_eq!(of_others(&a)?.into_raw_vec_and_offset().0, others);
        assert_eq!(of_others_by_few(&a)?.into_raw_vec_and_offset().0, others);
        assert_eq!(in_global_memory(&a)?.into_raw_vec_and_offset().0, others);
    }
    Ok(())
}

#[test]
fn a_work_item_accumulates_arrays_of_any_length() -> lift::Result<()> {
    for (n, m) in [(1, 1), (5, 3), (70, 40)] {
        let a = numbers((n, 8, m));
        assert_eq!(by_one(&a)?.into_raw_vec_and_offset().0, expected(&a, 0), "{n}, {m}");
        for k in [0, 1, 2, 7] {
            let a = numbers((n, k, m));
            let found = of_others_by_one(&a)?.into_raw_vec_and_offset().0;
            assert_eq!(found, expected(&a, 1), "{n}, {m}, {k}");
        }
    }
    Ok(())
}
