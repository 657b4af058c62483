//! Position-dependent arrays (Pizzuti, Steuwer, Dubach, FHPNC 2019), end to end: macro, driver, device,
//! against plain loops.

use crate::common::{Border, SIZES, grid, sample, samples};
use lift::ndarray::{Array1, Array2};
use lift::{Error, Result, lift};

include!("../../corpus/programs/positions.rs");

/// Numbers of rows of triangles: half a million elements would take a simulator a minute and show nothing
/// more.
const ROWS: [usize; 7] = [1, 2, 3, 7, 64, 100, 129];

/// The elements of a triangle, row by row.
fn triangle(rows: usize) -> Vec<f32> {
    samples(rows * (rows + 1) / 2)
}

/// Where a row of a triangle starts, found by counting.
fn start(row: usize) -> usize {
    (0..row).map(|before| before + 1).sum()
}

fn triangular_product(m: &[f32], v: &[f32]) -> Vec<f32> {
    let row = |row: usize| (0..=row).map(|column| m[start(row) + column] * v[column]).sum();
    (0..v.len()).map(row).collect()
}

#[test]
fn triangular_products_are_those_of_plain_loops() -> Result<()> {
    for n in ROWS {
        let (m, v) = (triangle(n), samples(n));
        let expected = Array1::from(triangular_product(&m, &v));
        assert_eq!(trmv(&m, &v)?, expected, "{n}");
        assert_eq!(trmv_wrg(&m, &v)?, expected, "{n}");
        if n % 4 == 0 {
            assert_eq!(trmv_wrg_even(&m, &v)?, expected, "{n}");
        }
    }
    Ok(())
}

#[test]
fn rows_are_packed_one_after_the_other() -> Result<()> {
    for n in ROWS {
        let a = triangle(n);
        let doubled: Array1<f32> = a.iter().map(|x| x * 2.0).collect();
        assert_eq!(doubled_triangle(&a)?, doubled, "{n}");
        assert_eq!(twice_joined(&Array1::from(a.clone()))?, doubled, "{n}");
        assert_eq!(joined_then_twice(&a[..])?, doubled, "{n}");
    }
    Ok(())
}

#[test]
fn upper_triangles_start_with_the_longest_row() -> Result<()> {
    for n in ROWS {
        let (u, v) = (triangle(n), samples(n));
        let first = |row: usize| (0..row).map(|before| n - before).sum::<usize>();
        let product = |row: usize| (row..n).map(|column| u[first(row) + column - row] * v[column]).sum();
        assert_eq!(upper_product(&u, &v)?, (0..n).map(product).collect::<Array1<f32>>(), "{n}");
        let backwards: Array1<f32> = u.iter().rev().copied().collect();
        assert_eq!(turned(&u)?, backwards, "{n}");
    }
    Ok(())
}

#[test]
fn a_partition_is_what_figure_9_shows() -> Result<()> {
    let a = [0, 1, 2, 3, 4, 5];
    let sums = lift!(a >> partition(3, |i| i + 1) >> map(reduce(add, 0)))?;
    assert_eq!(sums.to_vec(), [0, 3, 12]);
    let again = lift!(a >> partition(3, |i| i + 1) >> join >> map(|x| x + 1))?;
    assert_eq!(again.to_vec(), [1, 2, 3, 4, 5, 6]);
    let rows = lift!(a >> partition(3, |i| i + 1))?;
    assert_eq!(rows.to_vec(), a);
    Ok(())
}

#[test]
fn levels_of_a_tree_double() -> Result<()> {
    for levels in [0, 1, 2, 3, 7, 10] {
        let tree = samples((1 << levels) - 1);
        let sum = |level: usize| tree[(1 << level) - 1..(1 << (level + 1)) - 1].iter().sum();
        assert_eq!(level_sums(&tree)?, (0..levels).map(sum).collect::<Array1<f32>>(), "{levels}");
        assert_eq!(increased_tree(&tree)?, tree.iter().map(|x| x + 1.0).collect::<Array1<f32>>(), "{levels}");
    }
    Ok(())
}

#[test]
fn bands_hold_the_diagonals() -> Result<()> {
    for (n, k) in [(1, 0), (1, 3), (2, 1), (7, 2), (7, 6), (7, 20), (64, 3), (100, 60), (1001, 1)] {
        let columns = |row: usize| row.saturating_sub(k)..(row + k + 1).min(n);
        let band = samples((0..n).map(|row| columns(row).len()).sum());
        let v = samples(n);
        let mut places = band.iter();
        let mut row = |row: usize| columns(row).map(|column| places.next().unwrap_or(&0.0) * v[column]).sum();
        let expected: Array1<f32> = (0..n).map(&mut row).collect();
        assert_eq!(banded_product(k, &band, &v)?, expected, "{n}, {k}");
    }
    Ok(())
}

#[test]
fn three_levels_are_packed_too() -> Result<()> {
    // [[[0], [1, 2]], [[3, 4, 5]], [[6, 7, 8, 9]]]
    let m: Vec<f32> = (0u8..10).map(f32::from).collect();
    assert_eq!(grouped(&m)?.to_vec(), [3.0, 12.0, 30.0]);
    for n in [2, 4, 64, 100] {
        let m = triangle(n);
        assert_eq!(paired(&m)?, m.iter().map(|x| x + 0.5).collect::<Array1<f32>>(), "{n}");
    }
    for (batch, n) in [(1, 1), (3, 2), (2, 7), (5, 64)] {
        let (m, v) = (samples(batch * start(n)), samples(n));
        let expected: Vec<f32> =
            m.chunks(start(n)).flat_map(|triangle| triangular_product(triangle, &v)).collect();
        let expected = Array2::from_shape_vec((batch, n), expected).unwrap_or_default();
        assert_eq!(triangles(&m, &v)?, expected, "{batch}, {n}");
    }
    Ok(())
}

#[test]
fn sections_of_a_stencil_are_the_whole_stencil() -> Result<()> {
    let windows = |padded: Vec<f32>, size: usize| {
        padded.windows(size).map(|window| window.iter().sum()).collect::<Array1<f32>>()
    };
    for n in SIZES {
        let a = samples(n);
        for (l, r) in [(0, 0), (1, 0), (0, 2), (3, 1)] {
            if l + r <= n {
                let padded = Border::Clamp.pad(l, r, &a);
                assert_eq!(sections_of_any_width(l, r, &a)?, windows(padded, l + r + 1), "{n}, {l}, {r}");
            }
        }
        if n >= 4 {
            assert_eq!(sections(&a)?, windows(Border::Clamp.pad(2, 2, &a), 5), "{n}");
        }
        if n >= 2 {
            assert_eq!(mirrored_sections(&a)?, windows(Border::Mirror.pad(1, 1, &a), 3), "{n}");
            let framed: Vec<f32> = [2.5].into_iter().chain(a.iter().copied()).chain([2.5]).collect();
            assert_eq!(sections_of_constants(&a)?, windows(framed, 3), "{n}");
        }
    }
    for shape in [(2, 2), (2, 3), (3, 2), (7, 64), (64, 7), (100, 33)] {
        let a = grid(shape);
        let inside = |position: isize, length: usize| position.clamp(0, length as isize - 1) as usize;
        let sum = |(y, x): (usize, usize)| {
            let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx)));
            near.map(|(dy, dx)| a[[inside(y as isize + dy, shape.0), inside(x as isize + dx, shape.1)]]).sum()
        };
        assert_eq!(sections2(&a)?, Array2::<f32>::from_shape_fn(shape, sum), "{shape:?}");
    }
    Ok(())
}

#[test]
fn results_may_be_position_dependent_and_of_tuples() -> Result<()> {
    for n in ROWS {
        let m: Vec<i32> = (0..start(n)).map(|position| sample(position) as i32).collect();
        let (mut prefixes, mut lengths) = (Vec::new(), Vec::new());
        for row in 0..n {
            let row = &m[start(row)..start(row + 1)];
            let mut sum = 0;
            for &x in row {
                sum += x;
                prefixes.push(sum);
                lengths.push((x, row.len() as i32));
            }
        }
        assert_eq!(row_prefixes(&m)?.to_vec(), prefixes, "{n}");
        assert_eq!(with_lengths(&m)?.to_vec(), lengths, "{n}");
    }
    Ok(())
}

#[test]
fn rows_that_nothing_stores_are_read_anywhere() -> Result<()> {
    let m = triangle(4);
    let expected: Vec<f32> = m.windows(3).map(|window| 2.0 * window.iter().sum::<f32>()).collect();
    assert_eq!(windows_over_rows(&m)?.to_vec(), expected);
    assert_eq!(unrolled_total(&m)?, m.iter().sum::<f32>());
    let rows = grid((4, 8));
    let places = [2, 3, 0, 1, 4, 5, 6, 7];
    let turned = Array2::from_shape_fn((4, 8), |(y, x)| rows[[y, places[x]]] + 1.0);
    assert_eq!(turned_vectors(&rows)?, turned);
    for n in ROWS {
        let m = triangle(n);
        assert_eq!(total(&m)?, m.iter().sum::<f32>(), "{n}");
    }
    Ok(())
}

#[test]
fn rows_that_are_stored_do_not_overlap() -> Result<()> {
    let turned = |u: &[f32], rows: usize| {
        let (mut turned, mut rest) = (Vec::new(), u);
        for row in 0..rows {
            let (first, others) = rest.split_at(rows - row);
            turned.extend(first.iter().rev().map(|x| x + 1.0));
            rest = others;
        }
        Array1::from(turned)
    };
    for n in ROWS {
        let u = triangle(n);
        assert_eq!(turned_by_groups(&u)?, turned(&u, n), "{n}");
        let larger: Array1<f32> = u.iter().map(|x| x + 3.0).collect();
        assert_eq!(thrice(&u)?, larger, "{n}");
    }
    let u = triangle(8);
    assert_eq!(turned_in_tiles(&u)?, turned(&u, 8));
    assert_eq!(turned_in_blocks(&u)?, turned(&u, 8));
    for levels in [0, 1, 2, 5] {
        let tree = samples((1 << levels) - 1);
        let larger: Array1<f32> = tree.iter().map(|x| x + 3.0).collect();
        assert_eq!(thrice_in_trees(&tree)?, larger, "{levels}");
    }
    Ok(())
}

#[test]
fn a_length_that_no_triangle_has_is_an_error() {
    let message = |result: Result<Array1<f32>>| match result {
        Err(error @ (Error::NoSuchSize { .. } | Error::SizeMismatch(_))) => error.to_string(),
        Err(other) => format!("another error: {other}"),
        Ok(_) => "no error".to_owned(),
    };
    assert_eq!(
        message(trmv(&samples(7), &samples(3))),
        "`m` has 7 elements, but `(N + N * N) / 2` is 6 (`N` is 3 because of `v`)"
    );
    assert_eq!(
        message(doubled_triangle(&samples(7))),
        "`a` has 7 elements, but no `N` makes `(N + N * N) / 2` equal to that"
    );
}

#[test]
fn a_section_that_would_be_negative_is_an_error() {
    let error = sections(&samples(3)).err().map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(error, "`sections` is only for `N >= 4`, but `N` is 3 because of `a`");
}

#[test]
fn rows_start_where_the_rows_before_them_end_whatever_their_lengths_are() -> Result<()> {
    let a = samples(8);
    let sums = [0.0, a[0], a[1], a[2] + a[3], a[4] + a[5], a[6] + a[7]];
    assert_eq!(growing_rows(&a)?.to_vec(), sums);
    let a = samples(12);
    for m in [1, 3, 12] {
        let sums: Vec<f32> = a.chunks(12 / m).map(|row| row.iter().sum()).collect();
        assert_eq!(even_rows(m, &a)?.to_vec(), sums);
    }
    assert!(even_rows(5, &a).is_err() && even_rows(0, &a).is_err());
    Ok(())
}
