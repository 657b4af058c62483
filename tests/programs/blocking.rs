//! Matrix products with tiles in local memory and blocks of the result in registers (Steuwer, Remmelg, Dubach, GPGPU 2016, figure 7)
//! and other private arrays that the work-items of a group share out, against plain loops.

use lift::lift;

lift! {
    /// Tiles of 32x8 and 8x32, 8x16 work-items, each with a block of 4x2.
    fn blocked<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
    where N % 32 == 0, M % 32 == 0, K % 8 == 0
    {
        let tilesA = tile(32, 8, a);
        let tilesB = tile(8, 32, b) >> transpose;
        tilesA >> mapWrg1(|rowOfTilesA| tilesB >> mapWrg0(|colOfTilesB|
            zip(rowOfTilesA, colOfTilesB) >> reduceSeq(|acc, (ta, tb)| {
                let la = ta >> toLocal(mapLcl1(mapLcl0(id)));
                let lb = tb >> toLocal(mapLcl1(mapLcl0(id)));
                let blocksA = la >> split(4);
                let blocksB = lb >> transpose >> split(2);
                zip(acc, blocksA) >> mapLcl1(|(accRow, aBlock)|
                    zip(accRow, blocksB) >> mapLcl0(|(accBlock, bBlock)|
                        zip(aBlock >> transpose, bBlock >> transpose) >> reduceSeq(|c, (av, bv)| {
                            let ap = av >> toPrivate(mapSeq(id));
                            let bp = bv >> toPrivate(mapSeq(id));
                            zip(c, ap) >> mapSeq(|(crow, x)| zip(crow, bp) >> mapSeq(|(cv, y)| cv + x * y))
                        }, accBlock)))
            }, repeat(8, repeat(16, repeat(4, repeat(2, 0)))))
            >> mapLcl1(mapLcl0(toGlobal(mapSeq(mapSeq(id)))))
            >> map(transpose) >> join >> map(join)
        )) >> map(transpose) >> join >> map(join)
    }

    /// More rows than work-items: every work-item keeps several elements, some one more than others.
    fn column_sums<const N: usize>(a: [[f32; 20]; N]) -> [f32; 20]
    where N % 4 == 0
    {
        a >> split(N) >> mapWrg0(|rows|
            rows >> reduceSeq(|acc, row| zip(acc, row) >> mapLcl0(|(sum, x)| sum + x), repeat(20, 0))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }

    /// Every element of the next accumulator depends on all of the last one: nothing is updated in place.
    fn rotated_sums<const N: usize>(a: [[f32; 4]; N]) -> [f32; 4] {
        a >> reduceSeq(|acc, row| zip(acc >> gather(rotate(1)), row) >> mapSeq(|(sum, x)| sum * 0.5 + x), repeat(4, 0))
    }
}

fn sample(position: usize) -> f32 {
    ((position * 37 + 11) % 17) as f32 - 8.0
}

fn matrix(rows: usize, columns: usize) -> lift::ndarray::Array2<f32> {
    lift::ndarray::Array2::from_shape_fn((rows, columns), |(row, column)| sample(row * columns + column))
}

#[test]
fn a_blocked_matrix_product_agrees_with_loops() -> lift::Result<()> {
    for (n, m, k) in [(32, 32, 8), (64, 32, 40), (96, 64, 24)] {
        let (a, b) = (matrix(n, k), matrix(k, m));
        assert_eq!(blocked(&a, &b)?, a.dot(&b), "{n} x {m} x {k}");
    }
    Ok(())
}

#[test]
fn a_blocked_matrix_product_of_no_elements_is_empty() -> lift::Result<()> {
    assert_eq!(blocked(&matrix(0, 8), &matrix(8, 32))?, matrix(0, 32));
    assert_eq!(blocked(&matrix(32, 0), &matrix(0, 32))?, lift::ndarray::Array2::zeros((32, 32)));
    Ok(())
}

#[test]
fn accumulators_divided_among_work_items_agree_with_loops() -> lift::Result<()> {
    for n in [4, 8, 28] {
        let a = lift::ndarray::Array2::from_shape_fn((n, 20), |(row, column)| sample(row * 20 + column));
        let rows: Vec<[f32; 20]> = a.outer_iter().map(|row| std::array::from_fn(|i| row[i])).collect();
        assert_eq!(column_sums(&rows)?, a.sum_axis(lift::ndarray::Axis(0)), "{n} rows");
    }
    Ok(())
}

#[test]
fn accumulators_that_depend_on_all_of_themselves_agree_with_loops() -> lift::Result<()> {
    for n in [0, 1, 2, 5] {
        let rows: Vec<[f32; 4]> = (0..n).map(|row| std::array::from_fn(|i| sample(4 * row + i))).collect();
        let mut expected = [0.0f32; 4];
        for row in &rows {
            expected = std::array::from_fn(|i| expected[(i + 1) % 4] * 0.5 + row[i]);
        }
        assert_eq!(rotated_sums(&rows)?.to_vec(), expected, "{n} rows");
    }
    Ok(())
}
