//! Inline expressions that only move the elements of their arrays take arrays of every rank: numbers, rows,
//! matrices.

use lift::ndarray::{Array1, Array2, Array3, ArrayD, IxDyn, array, s};
use lift::{Device, Result, lift};

#[test]
fn an_array_of_numbers_stays_one_of_numbers() -> Result<()> {
    let list = vec![1i16, 2, 3];
    let reversed: Array1<i16> = lift!(reverse(list))?;
    assert_eq!(reversed, array![3, 2, 1]);
    let fixed = [1.5f64, 2.5];
    assert_eq!(lift!(reverse(fixed))?, array![2.5, 1.5]);
    Ok(())
}

#[test]
fn literals_take_their_type_from_the_result() -> Result<()> {
    let numbers = [1.0, 2.0, 3.0];
    let reversed: Array1<f32> = lift!(reverse(numbers))?;
    assert_eq!(reversed, array![3.0, 2.0, 1.0]);
    let rows = vec![[1.0, 2.0], [3.0, 4.0]];
    let reversed: Array2<f32> = lift!(reverse(rows))?;
    assert_eq!(reversed, array![[3.0, 4.0], [1.0, 2.0]]);
    Ok(())
}

#[test]
fn literals_of_no_type_have_the_one_that_rust_gives_them() -> Result<()> {
    let numbers = [1, 2, 3];
    let reversed = lift!(reverse(numbers))?;
    assert_eq!(reversed.len(), 3);
    assert_eq!(reversed[0] + 1, 4);
    assert_eq!(reversed.to_vec(), [3, 2, 1]);
    let floats = vec![1.0, 2.0];
    let doubled: Vec<f64> = lift!(reverse(floats))?.iter().map(|x| x * 2.0).collect();
    assert_eq!(doubled, [4.0, 2.0]);
    Ok(())
}

#[test]
fn the_rows_of_a_matrix_are_reversed() -> Result<()> {
    let nested = [[1u8, 2, 3], [4, 5, 6]];
    let expected: Array2<u8> = array![[4, 5, 6], [1, 2, 3]];
    assert_eq!(lift!(reverse(nested))?, expected);
    let list = nested.to_vec();
    assert_eq!(lift!(reverse(list))?, expected);
    let boxed = Box::new(nested);
    assert_eq!(lift!(reverse(boxed))?, expected);
    let borrowed = &nested[..];
    assert_eq!(lift!(reverse(borrowed))?, expected);
    let matrix = array![[1u8, 2, 3], [4, 5, 6]];
    assert_eq!(lift!(reverse(matrix))?, expected);
    let columns = matrix.t();
    assert_eq!(lift!(reverse(columns))?, array![[3, 6], [2, 5], [1, 4]]);
    let part = matrix.slice(s![.., 1..]);
    assert_eq!(lift!(reverse(part))?, array![[5, 6], [2, 3]]);
    Ok(())
}

#[test]
fn three_dimensions_and_more_are_kept() -> Result<()> {
    let cube = Array3::from_shape_fn((4, 2, 3), |(i, j, k)| (100 * i + 10 * j + k) as i32);
    let mut expected = cube.clone();
    expected.invert_axis(lift::ndarray::Axis(0));
    let reversed: Array3<i32> = lift!(reverse(cube))?;
    assert_eq!(reversed, expected);
    let nested = [[[1i64, 2], [3, 4]], [[5, 6], [7, 8]]];
    assert_eq!(lift!(reverse(nested))?, array![[[5, 6], [7, 8]], [[1, 2], [3, 4]]]);
    let four = lift!(cube >> split(2))?;
    assert_eq!(four.shape(), [2, 2, 2, 3]);
    assert_eq!(four[[1, 0, 1, 2]], cube[[2, 1, 2]]);
    Ok(())
}

#[test]
fn a_matrix_is_split_and_joined() -> Result<()> {
    let matrix = Array2::from_shape_fn((6, 2), |(i, j)| (10 * i + j) as f32);
    let parts: Array3<f32> = lift!(matrix >> split(3))?;
    assert_eq!(parts, matrix.clone().into_shape_with_order((2, 3, 2)).unwrap());
    assert_eq!(lift!(join(parts))?, matrix);
    assert_eq!(lift!(join(matrix))?, matrix.iter().copied().collect::<Array1<f32>>());
    Ok(())
}

#[test]
fn rows_are_padded_by_rows() -> Result<()> {
    let matrix = array![[1, 2], [3, 4]];
    assert_eq!(lift!(pad(1, 1, clamp, matrix))?, array![[1, 2], [1, 2], [3, 4], [3, 4]]);
    assert_eq!(lift!(pad(0, 2, wrap, matrix))?, array![[1, 2], [3, 4], [1, 2], [3, 4]]);
    Ok(())
}

#[test]
fn windows_of_rows_are_matrices() -> Result<()> {
    let rows = vec![[1u32, 2], [3, 4], [5, 6]];
    assert_eq!(lift!(slide(2, 1, rows))?, array![[[1, 2], [3, 4]], [[3, 4], [5, 6]]]);
    Ok(())
}

#[test]
fn the_outer_two_dimensions_are_transposed() -> Result<()> {
    let matrix = array![[1, 2, 3], [4, 5, 6]];
    assert_eq!(lift!(transpose(matrix))?, array![[1, 4], [2, 5], [3, 6]]);
    let cube = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k) as i32);
    assert_eq!(lift!(transpose(cube))?, cube.permuted_axes([1, 0, 2]));
    Ok(())
}

#[test]
fn matrices_are_concatenated() -> Result<()> {
    let (first, second) = (vec![[1, 2]], array![[3, 4], [5, 6]]);
    assert_eq!(lift!(concat(first, second))?, array![[1, 2], [3, 4], [5, 6]]);
    Ok(())
}

#[test]
fn rows_that_come_to_stand_in_one_array_have_one_shape() -> Result<()> {
    let (first, second) = (vec![[1, 2]], array![[3, 4, 5], [5, 6, 7]]);
    let error = lift!(concat(first, second)).expect_err("the rows differ").to_string();
    assert_eq!(
        error,
        "`second` holds rows of shape [3], but `first` holds rows of shape [2], and both may come to stand in one array"
    );
    let numbers = vec![7];
    let error = lift!(concat(first, numbers)).expect_err("one has no rows").to_string();
    assert_eq!(
        error,
        "`numbers` holds scalars, but `first` holds rows of shape [2], and both may come to stand in one array"
    );
    let (wide, tall) = (Array3::<i32>::zeros((1, 2, 3)), Array3::<i32>::zeros((1, 3, 2)));
    assert!(lift!(concat(wide, tall)).is_err());
    Ok(())
}

#[test]
fn arrays_of_different_ranks_are_zipped_and_unzipped() -> Result<()> {
    let (rows, numbers) = (array![[1, 2], [3, 4]], vec![0.5f32, 1.5]);
    let (second, first) =
        lift!(zip(rows, numbers) >> map(|(row, number)| (number, row)) >> unzip >> |p| (reverse(p.0), p.1))?;
    assert_eq!(second, array![1.5, 0.5]);
    assert_eq!(first, rows);
    Ok(())
}

#[test]
fn rows_are_gathered_at_positions_of_an_array() -> Result<()> {
    let (rows, positions) = (array![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]], [2, 0, 2, 1]);
    assert_eq!(
        lift!(map(|i| at(i, rows), positions))?,
        array![[5.0, 6.0], [1.0, 2.0], [5.0, 6.0], [3.0, 4.0]]
    );
    Ok(())
}

#[test]
fn arrays_without_elements_keep_their_shape() -> Result<()> {
    let none = Array2::<f32>::zeros((0, 3));
    assert_eq!(lift!(reverse(none))?.shape(), [0, 3]);
    let empty_rows = Array3::<f32>::zeros((2, 0, 3));
    assert_eq!(lift!(reverse(empty_rows))?.shape(), [2, 0, 3]);
    let list: Vec<[i32; 0]> = vec![[], []];
    assert_eq!(lift!(reverse(list))?.shape(), [2, 0]);
    Ok(())
}

#[test]
fn a_rank_that_is_known_when_the_program_runs_is_kept() -> Result<()> {
    let matrix = ArrayD::from_shape_vec(IxDyn(&[2, 2]), vec![1, 2, 3, 4]).expect("the shape fits");
    let reversed: ArrayD<i32> = lift!(reverse(matrix))?;
    assert_eq!(reversed, array![[3, 4], [1, 2]].into_dyn());
    let list = array![1, 2].into_dyn();
    let error = lift!(transpose(list)).expect_err("two dimensions are needed").to_string();
    assert_eq!(error, "`list` has 1 dimension, but 2 are needed");
    Ok(())
}

#[test]
fn matrices_on_a_device_are_taken() -> Result<()> {
    let device = Device::default_device()?;
    let matrix = device.upload(&[[1, 2], [3, 4]])?;
    assert_eq!(lift!(reverse(matrix))?, array![[3, 4], [1, 2]]);
    Ok(())
}

#[test]
fn elements_that_are_computed_with_are_numbers() -> Result<()> {
    let numbers = vec![1.0f32, 2.0];
    let doubled: Array1<f32> = lift!(map(|x| x + x, reverse(numbers)))?;
    assert_eq!(doubled, array![4.0, 2.0]);
    let first: f32 = lift!(head(numbers))?;
    assert_eq!(first, 1.0);
    Ok(())
}

#[test]
fn a_variable_that_is_only_measured_has_any_rank() -> Result<()> {
    let cube = Array3::<f32>::zeros((5, 2, 3));
    let length: u64 = lift!(len(cube))?;
    assert_eq!(length, 5);
    Ok(())
}

#[test]
fn rows_of_vectors_and_truth_values_are_rows() -> Result<()> {
    let masks = [[true, false], [false, false]];
    assert_eq!(lift!(reverse(masks))?, array![[false, false], [true, false]]);
    let points = vec![[1.0f32, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]];
    assert_eq!(lift!(gather(rotate(1), points))?, array![[5.0, 6.0, 7.0, 8.0], [1.0, 2.0, 3.0, 4.0]]);
    Ok(())
}

#[test]
fn maps_of_the_opencl_level_take_numbers() -> Result<()> {
    let numbers = vec![1, 2, 3];
    assert_eq!(lift!(mapGlb0(id, reverse(numbers)))?, array![3, 2, 1]);
    Ok(())
}
