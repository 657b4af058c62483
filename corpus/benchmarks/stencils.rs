// Stencils that say nothing of work-items: of two matrices, of several stages, and of boxes.

lift! {
    /// The temperature of a chip after a step (hotspot of Rodinia), with numbers that `f32` holds.
    fn heated<const N: usize, const M: usize>(t: [[f32; M]; N], power: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2(t >> pad2(1, 1, clamp) >> slide2(3, 1), power) >> map2(|(n, p)| {
            let here = at(1, at(1, n));
            here + 0.5 * (p + (at(1, at(0, n)) + at(1, at(2, n)) - 2 * here) + (at(0, at(1, n)) + at(2, at(1, n)) - 2 * here)) })
    }
    /// The sum of the points beside each point of a box, and of the point itself.
    fn seven_points<const L: usize, const N: usize, const M: usize>(a: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        a >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|n|
            0.5 * at(1, at(1, at(1, n))) + 0.125 * (at(1, at(1, at(0, n))) + at(1, at(1, at(2, n)))
                + at(1, at(0, at(1, n))) + at(1, at(2, at(1, n))) + at(0, at(1, at(1, n))) + at(2, at(1, at(1, n)))))
    }
}
