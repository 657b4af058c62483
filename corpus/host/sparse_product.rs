// A sparse matrix in compressed rows times a vector.

lift! {
    fn sparse_product<const N: usize, const M: usize, const K: usize>(
        offsets: [u32; N + 1],
        columns: [u32; K],
        values: [f32; K],
        x: [f32; M],
    ) -> [f32; N] {
        zip(columns, values) >> map(|column, value| value * at(column, x)) >> reduceSegments(add, 0, offsets)
    }
}
