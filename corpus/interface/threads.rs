// Four kernels that eight threads call.

lift! {
    fn saxpy<const N: usize>(alpha: f32, x: [f32; N], y: [f32; N]) -> [f32; N] {
        zip(x, y) >> map(|(x, y)| alpha * x + y)
    }

    fn transposed<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; N]; M] {
        a >> transpose
    }

    fn smooth<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduceSeq(add, 0))
    }

    fn inner<const N: usize>(a: [i64; N], b: [i64; N]) -> i64 {
        zip(a, b) >> map(mult) >> reduce(add, 0)
    }
}
