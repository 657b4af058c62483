// The Gaussian filter of the thesis, for a photograph, and stencils for grids of a million elements.

lift! {
    /// Convolution with 3x3 weights (thesis, definition 2.20).
    fn gaussian3<const N: usize, const M: usize>(ws: [f32; 9], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|nbh| zip(ws, join(nbh)) >> map(mult) >> reduce(add, 0))
    }
}
