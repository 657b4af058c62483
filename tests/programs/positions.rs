//! Position-dependent arrays (Pizzuti, Steuwer, Dubach, FHPNC 2019), end to end: macro, driver, device, against plain loops.

use crate::common::{Border, SIZES, grid, sample, samples};
use lift::ndarray::{Array1, Array2};
use lift::{Error, Result, lift};

lift! {
    /// Triangular matrix-vector product (listing 3).
    pub fn trmv<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> map(|row| zip(row, slice(0, len(row), v)) >> map(mult) >> reduce(add, 0))
    }

    /// The same, a work-group per row, each row padded to whole chunks; the chunks are added up by a second kernel (listing 5).
    fn trmv_wrg<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> mapWrg0(|row|
                zip(padConstant(0, (N + 63) / 64 * 64 - len(row), 0, row), padConstant(0, (N + 63) / 64 * 64 - N, 0, v))
                    >> split(64)
                    >> mapLcl0(reduceSeq(|acc, (a, b)| acc + a * b, 0)))
          >> mapGlb0(reduceSeq(add, 0))
    }

    /// The same for sizes that chunks divide.
    fn trmv_wrg_even<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] where N % 4 == 0 {
        m >> mapWrg0(|row|
                zip(padConstant(0, N - len(row), 0, row), v) >> split(4) >> mapLcl0(reduceSeq(|acc, (a, b)| acc + a * b, 0)))
          >> mapGlb0(reduceSeq(add, 0))
    }

    /// The rows of a triangle of a vector's elements (figure 9), doubled.
    fn doubled_triangle<const N: usize>(a: [f32; N * (N + 1) / 2]) -> [i => [f32; i + 1]; N] {
        a >> partition(N, |i| i + 1) >> map(map(|x| x * 2))
    }

    fn twice_joined<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N * (N + 1) / 2] {
        m >> map(map(|x| x * 2)) >> join
    }

    fn joined_then_twice<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N * (N + 1) / 2] {
        m >> join >> map(|x| x * 2)
    }

    /// A row is read backwards in a triangle that is read backwards: an upper triangle becomes a lower one.
    fn turned<const N: usize>(u: [i => [f32; N - i]; N]) -> [i => [f32; i + 1]; N] {
        u >> reverse >> map(reverse)
    }

    fn upper_product<const N: usize>(u: [i => [f32; N - i]; N], v: [f32; N]) -> [f32; N] {
        generate(N, |i| { let row = at(i, u); zip(row, slice(i, N - i, v)) >> map(mult) >> reduce(add, 0) })
    }

    /// The lengths of rows have no sum that is a formula: comparisons tell a few of them apart.
    fn growing_rows<const N: usize>(a: [f32; N]) -> [f32; 6] {
        a >> partition(6, |i| log2(i + 1)) >> map(reduce(add, 0))
    }

    /// All rows are as long as each other, if there are any.
    fn even_rows<const N: usize>(m: size, a: [f32; N]) -> [f32; m] {
        a >> partition(m, |i| N / m) >> map(reduce(add, 0))
    }

    /// The levels of a binary tree.
    fn level_sums<const L: usize>(tree: [i => [f32; pow(2, i)]; L]) -> [f32; L] {
        tree >> map(reduce(add, 0))
    }

    fn increased_tree<const L: usize>(tree: [i => [f32; pow(2, i)]; L]) -> [i => [f32; pow(2, i)]; L] {
        tree >> map(map(|x| x + 1))
    }

    /// The product with a matrix of which only the diagonals up to `K` away from the main one are stored.
    fn banded_product<const N: usize>(k: size, band: [i => [f32; min(i + k + 1, N) - max(i - k, 0)]; N], v: [f32; N]) -> [f32; N] {
        generate(N, |i| {
            let row = at(i, band);
            zip(row, slice(max(i - k, 0), len(row), v)) >> map(mult) >> reduce(add, 0)
        })
    }

    /// The first two rows of a triangle as one group, the others as groups of one row (figure 7).
    fn grouped(m: [i => [j => [f32; sum(i, |k| if k == 0 { 2 } else { 1 }) + j + 1]; if i == 0 { 2 } else { 1 }]; 3]) -> [f32; 3] {
        m >> map(|group| group >> map(reduce(add, 0)) >> reduce(add, 0))
    }

    /// Rows of a triangle in pairs, and back.
    fn paired<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N * (N + 1) / 2] where N % 2 == 0 {
        m >> split(2) >> map(map(map(|x| x + 0.5))) >> join >> join
    }

    /// Many triangles.
    fn triangles<const B: usize, const N: usize>(m: [[i => [f32; i + 1]; N]; B], v: [f32; N]) -> [[f32; N]; B] {
        m >> map(map(|row| zip(row, slice(0, len(row), v)) >> map(mult) >> reduce(add, 0)))
    }

    /// A stencil in three sections, of which only the outer ones look at the border (listing 9).
    fn sections<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 4 {
        a >> pad(2, 2, clamp) >> slide(5, 1) >> partition(3, caseSplit(2, N - 4, 2))
          >> mapSeqUnroll(mapGlb0(reduceSeq(add, 0))) >> join
    }

    /// Borders whose widths only the call knows.
    fn sections_of_any_width<const N: usize>(l: size, r: size, a: [f32; N]) -> [f32; N] where l + r <= N, N >= 1 {
        a >> pad(l, r, clamp) >> slide(l + r + 1, 1) >> partition(3, caseSplit(l, N - l - r, r))
          >> mapSeqUnroll(mapGlb0(reduceSeq(add, 0))) >> join
    }

    fn sections_of_constants<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 2 {
        a >> padConstant(1, 1, 2.5) >> slide(3, 1) >> partition(3, caseSplit(1, N - 2, 1))
          >> mapSeqUnroll(mapGlb0(reduceSeq(add, 0))) >> join
    }

    fn mirrored_sections<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 2 {
        a >> pad(1, 1, mirror) >> slide(3, 1) >> partition(3, caseSplit(1, N - 2, 1))
          >> mapSeqUnroll(mapGlb0(reduceSeq(add, 0))) >> join
    }

    /// The same in two dimensions: nine sections, the inner one without a border.
    fn sections2<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] where N >= 2, M >= 2 {
        a >> pad2(1, 1, clamp) >> slide2(3, 1)
          >> map(partition(3, caseSplit(1, M - 2, 1))) >> partition(3, caseSplit(1, N - 2, 1))
          >> mapSeqUnroll(mapGlb1(mapSeqUnroll(mapGlb0(|nbh| nbh >> join >> reduceSeq(add, 0)))))
          >> map(map(join)) >> join
    }

    /// Prefix sums of every row.
    fn row_prefixes<const N: usize>(m: [i => [i32; i + 1]; N]) -> [i => [i32; i + 1]; N] {
        m >> map(scanInclusive(add))
    }

    /// Every number with the length of its row.
    fn with_lengths<const N: usize>(m: [i => [i32; i + 1]; N]) -> [i => [(i32, i32); i + 1]; N] {
        m >> map(|row| row >> map(|x| (x, len(row) as i32)))
    }

    /// Elements of rows that nothing stores, at any position of all of them.
    fn windows_over_rows(m: [i => [f32; i + 1]; 4]) -> [f32; 8] {
        m >> map(map(|x| x * 2)) >> join >> slide(3, 1) >> map(reduce(add, 0))
    }

    fn total<const N: usize>(m: [row => [f32; row + 1]; N]) -> f32 {
        m >> reduce(|acc, row| acc + reduce(add, 0, row), 0)
    }

    /// What a group stores of its row has room for the longest one.
    fn turned_by_groups<const N: usize>(u: [i => [f32; N - i]; N]) -> [i => [f32; N - i]; N] {
        u >> mapWrg0(|row| row >> toGlobal(mapLcl0(id)) >> reverse >> mapLcl0(|x| x + 1))
    }

    fn turned_in_tiles(u: [i => [f32; 8 - i]; 8]) -> [i => [f32; 8 - i]; 8] {
        u >> mapWrg0(|row| row >> toLocal(mapLcl0(id)) >> reverse >> mapLcl0(|x| x + 1))
    }

    fn turned_in_blocks(u: [i => [f32; 8 - i]; 8]) -> [i => [f32; 8 - i]; 8] {
        u >> mapGlb0(|row| row >> toPrivate(mapSeq(id)) >> reverse >> mapSeq(|x| x + 1))
    }

    fn thrice<const N: usize>(u: [i => [f32; N - i]; N]) -> [i => [f32; N - i]; N] {
        u >> map(|row| iterate(3, map(|x| x + 1), row))
    }

    fn thrice_in_trees<const L: usize>(tree: [i => [f32; pow(2, i)]; L]) -> [i => [f32; pow(2, i)]; L] {
        tree >> map(|row| iterate(3, map(|x| x + 1), row))
    }

    /// Vectors are written through rows that comparisons tell apart.
    fn turned_vectors(a: [[f32; 8]; 4]) -> [[f32; 8]; 4] {
        a >> mapGlb1(mapGlb0(|x| x + 1))
          >> map(asVector(2) >> partition(3, caseSplit(2, 1, 1)) >> map(reverse) >> join) >> map(asScalar)
    }

    /// The name of a position is not one that a loop has.
    fn unrolled_total(m: [position => [f32; position + 1]; 4]) -> f32 {
        m >> reduceSeqUnroll(|acc, row| acc + reduce(add, 0, row), 0)
    }
}

/// Numbers of rows of triangles: half a million elements would take a simulator a minute and show nothing more.
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
