// A convolution with 17x17 weights, borders repeated.

lift! {
    fn convolve<const N: usize, const M: usize>(a: [[f32; M]; N], weights: [f32; 289]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1) >> map2(|n| zip(join(n), weights) >> map(mult) >> reduce(add, 0))
    }
}
