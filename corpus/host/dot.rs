// The dot product of two vectors.

lift! {
    fn dot<const N: usize>(x: [f32; N], y: [f32; N]) -> f32 { zip(x, y) >> map(mult) >> reduce(add, 0) }
}
