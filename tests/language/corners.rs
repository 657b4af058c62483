//! Programs at the corners of the language, on a device: what C leaves open, borders whose elements need code, names
//! that OpenCL takes.

use lift::ndarray::Array2;
use lift::{Result, lift};

lift! {
    fn negated_bytes<const N: usize>(a: [i8; N]) -> [i32; N] { a >> map(|x| -x as i32) }

    fn thirds_of_opposites<const N: usize>(a: [i16; N]) -> [i16; N] { a >> map(|x| -x / 3) }

    fn quotients_by_minus_one<const N: usize>(a: [i16; N], b: [i16; N]) -> [i16; N] { zip(a, b) >> map(|x, y| (x / y) / 3) }

    fn thirds_of_vectors<const N: usize>(a: [i16; 4 * N]) -> [i16; 4 * N] { a >> asVector(4) >> mapGlb0(|v| -v / 3) >> asScalar }

    fn larger_than_four<const N: usize>(a: [u16; N]) -> [bool; N] { a >> map(|x| max(x + x, 1) > 4) }

    fn halves_of_products<const N: usize>(a: [u16; 2 * N]) -> [u16; 2 * N] { a >> asVector(2) >> mapGlb0(|v| v * v / 2) >> asScalar }

    fn sums_with_border<const N: usize>(a: [[f32; 8]; N]) -> [[f32; 8]; N + 2] {
        a >> map(|row| { let s = reduce(add, 0, row); row >> map(|x| x + s) }) >> padConstant(1, 1, [0, 1, 2, 3, 4, 5, 6, 7])
    }

    fn split_in_two(x: f32) -> (f32, f32) { (floor(x), x - floor(x)) }

    fn parts_with_border<const N: usize>(a: [f32; N], b: [f32; 2]) -> [[f32; 2]; N + 2] {
        a >> map(|x| { let (whole, part) = split_in_two(x); b >> map(|y| y * part + whole) }) >> padConstant(1, 1, [7, 8])
    }

    fn powers<const N: usize>(a: [u32; N]) -> [u32; N] {
        a >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x)
          >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x)
          >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x)
          >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x)
    }

    fn total_and_doubled<const N: usize>(a: [f32; N]) -> (f32, [f32; N]) { (reduce(add, 7, a), map(|x| 2 * x, a)) }

    fn chunks<const N: usize>(a: [[f32; 8]; N]) -> (f32, [[f32; 8]; N]) {
        (a >> join >> reduce(add, 7), a >> mapWrg0(|chunk| chunk >> toLocal(mapLcl0(id)) >> reverse >> mapLcl0(id)))
    }

    /// The weights are made before the first kernel and needed in both.
    fn weighted<const N: usize>(a: [f32; N], x: f32, y: f32) -> [f32; N] {
        let weights = [x, y, x];
        let scaled = a >> toGlobal(mapGlb0(|v| weights >> map(|w| w * v) >> reduce(add, 0)));
        scaled >> pad(1, 1, clamp) >> slide(3, 1) >> mapGlb0(|nbh| zip(nbh, weights) >> map(mult) >> reduce(add, 0))
    }

    fn sums_by_group<const N: usize>(a: [[[f32; 8]; 4]; N], z: [f32; 8]) -> [f32; 8 * N] {
        a >> mapWrg0(|rows| rows >> reduceSeq(|acc, row| zip(acc, row) >> mapLcl0(add), z)) >> join
    }

    /// `t` is indexed by data, so it stays an array, in a loop over one that becomes variables.
    fn chosen_sums<const N: usize>(a: [[i32; 4]; N], k: i32) -> [[i32; 4]; N] {
        a >> mapGlb0(|r| r >> toPrivate(mapSeq(|x| x * 2)) >> mapSeq(|x| { let t = toPrivate(mapSeq(|y| x + y), r); at(k, t) }))
    }

    /// Vectors across the room after rows of six.
    fn vectors_across_gaps<const N: usize>(a: [[[f32; 6]; 2]; N]) -> [[f32; 12]; N] {
        a >> mapWrg0(|t| t >> increase2d(0, 0, 0, 1) >> toLocal(mapLcl0(mapSeq(id))) >> join >> asVector(4) >> mapLcl0(|v| v + 1) >> asScalar)
    }

    fn room_in_uneven_rows<const N: usize>(a: [[i32; 10]; N]) -> [[i32; 10]; N] {
        a >> mapWrg0(|t| t >> partition(4, |i| i + 1) >> map(increase(0, 1)) >> toLocal(mapLcl0(mapSeq(id))) >> join >> reverse >> mapLcl0(id))
    }

    /// The work-items of a group stream over rows that they share.
    fn streamed<const N: usize>(a: [[[f32; 8]; 6]; N]) -> [[[f32; 8]; 4]; N] {
        a >> mapWrg0(|t| t >> mapSeqSlide(|w| w >> transpose >> mapLcl0(reduceSeq(add, 0)), 3, 1))
    }

    fn rows_and_elements<const N: usize, const M: usize>(a: [[f32; M]; N]) -> ([f32; N], [[f32; M]; N]) {
        (a >> mapGlb1(reduceSeq(add, 1)), a >> mapGlb1(mapGlb0(|x| 2 * x)))
    }

    fn convert_int(x: i32) -> i32 { x + 1 }
    fn subtract_int(x: i32) -> i32 { convert_int(x) - 3 }

    fn names_of_opencl<const INT_MAX: usize>(float4: [i32; INT_MAX], as_float: i32) -> [i32; INT_MAX] {
        float4 >> map(subtract_int) >> map(|x| x - as_float)
    }
}

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

/// The sums would read before and behind the array.
#[test]
fn a_border_of_rows_runs_no_code_of_the_rows() -> Result<()> {
    let a = Array2::from_shape_fn((3, 8), |(row, column)| (row * 8 + column) as f32);
    let expected = Array2::from_shape_fn((5, 8), |(row, column)| match row {
        0 | 4 => column as f32,
        _ => a[[row - 1, column]] + a.row(row - 1).sum(),
    });
    assert_eq!(sums_with_border(&a)?, expected);
    let sums = sums_with_border::SOURCE;
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
    assert!(powers::SOURCE.len() < 2000, "{}", powers::SOURCE);
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

lift! {
    fn doubles_as_integers<const N: usize>(a: [f64; N]) -> [(i8, u8, i32, u64); N] {
        a >> map(|x| (x as i8, x as u8, x as i32, x as u64))
    }

    fn floats_as_integers<const N: usize>(a: [f32; N]) -> [(i8, u8, i64, u64); N] {
        a >> map(|x| (x as i8, x as u8, x as i64, x as u64))
    }

    fn vectors_as_integers<const N: usize>(a: [f64; 4 * N]) -> [i32; 4 * N] {
        a >> asVector(4) >> map(|v| v as i32x4) >> asScalar
    }
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
