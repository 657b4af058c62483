// The product of two square matrices.

lift! {
    fn product<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> map(|row| b >> transpose >> map(|column| zip(row, column) >> map(mult) >> reduce(add, 0)))
    }
}
