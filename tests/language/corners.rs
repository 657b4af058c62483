//! Programs at the corners of the language, on a device: what C leaves open, borders whose elements need
//! code, names that OpenCL takes.

use lift::ndarray::Array2;
use lift::{Result, lift};

include!("../../corpus/language/corners.rs");

/// A map of nothing has no work-items; what stands beside it needs one.
#[test]
fn a_result_beside_an_empty_array_is_computed() -> Result<()> {
    let (total, doubled) = total_and_doubled(&Vec::<f32>::new())?;
    assert_eq!((total, doubled.len()), (7.0, 0));
    let (total, same) = chunks(&Array2::<f32>::zeros((0, 8)))?;
    assert_eq!((total, same.len()), (7.0, 0));
    let (rows, elements) = rows_and_elements(&Array2::<f32>::zeros((3, 0)))?;
    assert_eq!((rows.to_vec(), elements.dim()), (vec![1.0; 3], (3, 0)));
    Ok(())
}

#[test]
fn the_smallest_byte_is_its_own_opposite() -> Result<()> {
    assert_eq!(negated_bytes(&[-128, -127, 0, 127])?.to_vec(), [-128, 127, 0, -127]);
    Ok(())
}

/// What is too large for 16 bits is cut before anything else is computed of it.
#[test]
fn numbers_of_16_bits_wrap_before_they_are_divided_and_compared() -> Result<()> {
    let a = [-32768, 32767, -32767, 6];
    let expected = a.map(|x: i16| x.wrapping_neg() / 3);
    assert_eq!(thirds_of_opposites(&a)?.to_vec(), expected);
    assert_eq!(thirds_of_vectors(&a)?.to_vec(), expected);
    assert_eq!(quotients_by_minus_one(&a, &[-1; 4])?.to_vec(), expected);
    let a = [32768, 32769, 32770, 32771, 2, 3];
    assert_eq!(larger_than_four(&a)?.to_vec(), a.map(|x: u16| x.wrapping_add(x) > 4));
    assert_eq!(halves_of_products(&a)?.to_vec(), a.map(|x: u16| x.wrapping_mul(x) / 2));
    Ok(())
}

/// The text of the plain form.
fn plain(source: &str) -> &str {
    source.rsplit("// The form `plain`").next().unwrap_or(source)
}

/// The sums would read before and behind the array.
#[test]
fn a_border_of_rows_runs_no_code_of_the_rows() -> Result<()> {
    let a = Array2::from_shape_fn((3, 8), |(row, column)| (row * 8 + column) as f32);
    let expected = Array2::from_shape_fn((5, 8), |(row, column)| match row {
        0 | 4 => column as f32,
        _ => a[[row - 1, column]] + a.row(row - 1).sum(),
    });
    assert_eq!(sums_with_border(&a)?, expected);
    let sums = plain(sums_with_border::SOURCE);
    let (guard, load) = (sums.find("if (0 < g_id1"), sums.find("acc + a["));
    assert!(guard.is_some() && guard < load, "{sums}");

    let parts = parts_with_border(&[1.5, 2.25], &[2.0, 4.0])?;
    assert_eq!(parts, lift::ndarray::arr2(&[[7.0, 8.0], [2.0, 3.0], [2.5, 3.0], [7.0, 8.0]]));
    Ok(())
}

#[test]
fn the_text_of_a_kernel_grows_by_the_same_amount_for_every_step() -> Result<()> {
    let expected = [1u32, 3, 5].map(|x| (0..24).fold(x, |x, _| x.wrapping_mul(x)));
    assert_eq!(powers(&[1, 3, 5])?.to_vec(), expected);
    let text = plain(powers::SOURCE);
    assert!(text.len() < 2000, "{text}");
    Ok(())
}

#[test]
fn names_of_opencl_may_be_used() -> Result<()> {
    assert_eq!(names_of_opencl(&[1, 2, i32::MIN], 4)?.to_vec(), [-5, -4, i32::MAX - 5]);
    Ok(())
}

#[test]
fn a_private_array_is_made_again_in_every_kernel_that_needs_it() -> Result<()> {
    assert_eq!(weighted(&[1.0, 2.0, 3.0], 1.0, 2.0)?.to_vec(), [20.0, 32.0, 44.0]);
    Ok(())
}

#[test]
fn an_accumulator_of_a_group_is_written_by_those_who_computed_it() -> Result<()> {
    let a = lift::ndarray::Array3::from_shape_fn((3, 4, 8), |(group, row, column)| {
        (100 * group + 10 * row + column) as f32
    });
    let expected: Vec<f32> = (0..24)
        .map(|i| 1.0 + (0..4).map(|row| (100 * (i / 8) + 10 * row + i % 8) as f32).sum::<f32>())
        .collect();
    assert_eq!(sums_by_group(&a, &[1.0; 8])?.to_vec(), expected);
    Ok(())
}

#[test]
fn an_array_indexed_by_data_stays_one_beside_registers() -> Result<()> {
    let found = chosen_sums(&[[1, 2, 3, 4], [5, 6, 7, 8]], 2)?;
    assert_eq!(found, lift::ndarray::array![[5, 7, 9, 11], [17, 19, 21, 23]]);
    Ok(())
}

#[test]
fn vectors_are_read_across_the_room_between_rows() -> Result<()> {
    let a = lift::ndarray::Array3::from_shape_fn((3, 2, 6), |(group, row, column)| {
        (100 * group + 6 * row + column) as f32
    });
    let expected =
        lift::ndarray::Array2::from_shape_fn((3, 12), |(group, column)| (100 * group + column + 1) as f32);
    assert_eq!(vectors_across_gaps(&a)?, expected);
    Ok(())
}

/// The gaps after rows count in elements, which have other sizes in other components of a tuple.
#[test]
fn each_component_of_a_tuple_has_its_own_room() -> Result<()> {
    use lift::ndarray::{Array3, Array4};

    let y = Array3::from_shape_fn((3, 4, 6), |(group, row, column)| (20 * group + 7 * row + column) as f32);
    let vectors = Array4::from_shape_fn((3, 4, 6, 4), |(group, row, column, lane)| {
        (group + 5 * row + 2 * column + 3 * lane) as f32
    });
    let x = vectors.map_axis(lift::ndarray::Axis(3), |lanes| [0, 1, 2, 3].map(|lane| lanes[lane]));
    let expected = Array2::from_shape_fn((3, 6), |(group, column)| {
        let sum = |lane| (0..4).map(|row| x[(group, row, column)][lane] * y[(group, row, column)]).sum();
        [0, 1, 2, 3].map(sum)
    });
    assert_eq!(vectors_in_spaced_rows(&x, &y)?, expected);

    let rows = Array4::from_shape_fn((3, 4, 3, 5), |(group, row, column, element)| {
        (100 * group + 20 * row + 5 * column + element) as i32
    });
    let factors =
        Array3::from_shape_fn((3, 4, 3), |(group, row, column)| (3 * group + row + 2 * column) as i32);
    let expected = Array3::from_shape_fn((3, 3, 5), |(group, column, element)| {
        (0..4)
            .map(|row| (rows[(group, row, column, element)] + 1) * factors[(group, row, column)])
            .sum::<i32>()
    });
    assert_eq!(rows_in_spaced_rows(&rows, &factors)?, expected);
    Ok(())
}

#[test]
fn both_tiles_that_change_places_have_room_after_their_rows() -> Result<()> {
    use lift::ndarray::Array3;

    let tiles =
        Array3::from_shape_fn((3, 4, 4), |(group, row, column)| (50 * group + 4 * row + column) as i32);
    for times in 0..4 {
        let turned = |(group, row, column)| {
            let column: usize = if times % 2 == 0 { column } else { 3 - column };
            tiles[(group, row, column)] + times as i32
        };
        let expected = Array3::from_shape_fn((3, 4, 4), turned);
        assert_eq!(turned_in_spaced_rows(times, &tiles)?, expected, "{times}");
    }
    Ok(())
}

#[test]
fn a_longer_row_is_written_after_the_shorter_one_was_read() -> Result<()> {
    let rows: Vec<f32> = (0..8 * 136).map(|element| element as f32).collect();
    let mut expected = Vec::new();
    for number in 1..=16 {
        let row = &rows[8 * (number * (number - 1) / 2)..8 * (number * (number + 1) / 2)];
        expected.extend(row.chunks(number).flat_map(|chunk| chunk.iter().rev().map(|x| 6.0 * x)));
    }
    let found = waits_for_the_row_before(&rows)?;
    assert_eq!(found.to_vec(), expected);
    Ok(())
}

#[test]
fn rows_of_different_lengths_need_no_room() -> Result<()> {
    let a = lift::ndarray::Array2::from_shape_fn((2, 10), |(group, column)| (100 * group + column) as i32);
    let expected =
        lift::ndarray::Array2::from_shape_fn((2, 10), |(group, column)| (100 * group + 9 - column) as i32);
    assert_eq!(room_in_uneven_rows(&a)?, expected);
    Ok(())
}

#[test]
fn work_items_of_a_group_stream_over_rows_together() -> Result<()> {
    let a = lift::ndarray::Array3::from_shape_fn((2, 6, 8), |(group, row, column)| {
        (100 * group + 10 * row + column) as f32
    });
    let expected = lift::ndarray::Array3::from_shape_fn((2, 4, 8), |(group, row, column)| {
        (row..row + 3).map(|row| (100 * group + 10 * row + column) as f32).sum::<f32>()
    });
    assert_eq!(streamed(&a)?, expected);
    Ok(())
}

#[test]
fn floats_that_no_integer_is_become_what_they_do_in_rust() -> Result<()> {
    let doubles = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e30, -1e30, 3.7, -3.7, -0.0];
    let expected: Vec<_> = doubles.iter().map(|&x| (x as i8, x as u8, x as i32, x as u64)).collect();
    assert_eq!(doubles_as_integers(&doubles)?.to_vec(), expected);
    assert_eq!(vectors_as_integers(&doubles)?.to_vec(), doubles.map(|x| x as i32));
    let floats = doubles.map(|x| x as f32);
    let expected: Vec<_> = floats.iter().map(|&x| (x as i8, x as u8, x as i64, x as u64)).collect();
    assert_eq!(floats_as_integers(&floats)?.to_vec(), expected);
    // Some devices make 0 of NaN by themselves, and OpenCL does not demand it.
    for source in [doubles_as_integers::SOURCE, floats_as_integers::SOURCE, vectors_as_integers::SOURCE] {
        assert!(source.contains("isnan(x) ? "), "{source}");
    }
    Ok(())
}
