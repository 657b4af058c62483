// A matrix times several vectors, the columns of another matrix.

lift! {
    fn several_products<const N: usize, const M: usize, const K: usize>(
        a: [[f32; M]; N],
        b: [[f32; K]; M],
    ) -> [[f32; K]; N] {
        map(|row| map(|column| dotProduct(row, column), transpose(b)), a)
    }
}
