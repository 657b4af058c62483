// One iteration of a 5-point Jacobi stencil, borders repeated.

lift! {
    fn five<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n|
            (at(1, at(0, n)) + at(0, at(1, n)) + at(1, at(1, n)) + at(2, at(1, n)) + at(1, at(2, n))) * 0.2)
    }
}
