// The stencils of Hagedorn, Stoltzfus, Steuwer, Gorlatch, Dubach, CGO 2018, table 1, that have three
// dimensions.

lift! {
    /// An element of a window.
    fn cell<const D: usize, const H: usize, const W: usize>(window: [[[f32; W]; H]; D], plane: size, row: size, column: size) -> f32 {
        window >> at(plane) >> at(row) >> at(column)
    }

    /// Rodinia's chip of several layers: the temperatures of seven points and the power of one.
    fn hotspot3d<const L: usize, const N: usize, const M: usize>(
        step: f32, cc: f32, cw: f32, cn: f32, ct: f32, temperature: [[[f32; M]; N]; L], power: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L]
    {
        zip3(temperature >> pad3(1, 1, clamp) >> slide3(3, 1), power) >> map3(|(n, p)|
            cc * cell(n, 1, 1, 1) + cw * (cell(n, 1, 1, 0) + cell(n, 1, 1, 2)) + cn * (cell(n, 1, 0, 1) + cell(n, 1, 2, 1))
                + ct * (cell(n, 0, 1, 1) + cell(n, 2, 1, 1)) + step * p + ct * 80)
    }

    /// The number of neighbours that are inside of the room, from nothing but the position.
    #[expect(unused_variables, reason = "only the sizes of the room are used")]
    fn neighbours<const L: usize, const N: usize, const M: usize>(volume: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        generate(L, |z| generate(N, |y| generate(M, |x| {
            let inner = |i, n| (if i > 0 { 1 } else { 0 }) + (if i < n - 1 { 1 } else { 0 });
            ((inner(z, L) + inner(y, N) + inner(x, M)) as i32) as f32
        })))
    }

    /// A step of a wave in a room whose walls absorb: the last two steps and a mask made from positions.
    fn acoustic<const L: usize, const N: usize, const M: usize>(
        courant: f32, loss: f32, before: [[[f32; M]; N]; L], now: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L]
    {
        zip3(before, now >> padConstant3(1, 1, 0) >> slide3(3, 1), neighbours(now)) >> map3(|(old, n, inside)| {
            let sum = cell(n, 0, 1, 1) + cell(n, 1, 0, 1) + cell(n, 1, 1, 0) + cell(n, 1, 1, 2) + cell(n, 1, 2, 1) + cell(n, 2, 1, 1);
            let damping = 0.5 * loss * (6 - inside);
            ((2 - courant * inside) * cell(n, 1, 1, 1) + courant * sum + (damping - 1) * old) / (1 + damping)
        })
    }

    fn jacobi3d7<const L: usize, const N: usize, const M: usize>(a: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        a >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|n|
            0.5 * cell(n, 1, 1, 1) + 0.125 * (cell(n, 0, 1, 1) + cell(n, 1, 0, 1) + cell(n, 1, 1, 0)
                + cell(n, 1, 1, 2) + cell(n, 1, 2, 1) + cell(n, 2, 1, 1)))
    }

    /// Two neighbours in every direction.
    fn jacobi3d13<const L: usize, const N: usize, const M: usize>(a: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        a >> pad3(2, 2, clamp) >> slide3(5, 1) >> map3(|n|
            0.5 * cell(n, 2, 2, 2)
                + 0.125 * (cell(n, 1, 2, 2) + cell(n, 2, 1, 2) + cell(n, 2, 2, 1) + cell(n, 2, 2, 3) + cell(n, 2, 3, 2) + cell(n, 3, 2, 2))
                - 0.0625 * (cell(n, 0, 2, 2) + cell(n, 2, 0, 2) + cell(n, 2, 2, 0) + cell(n, 2, 2, 4) + cell(n, 2, 4, 2) + cell(n, 4, 2, 2)))
    }

    /// The points of a cube without its corners.
    fn poisson19<const L: usize, const N: usize, const M: usize>(a: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        a >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|n| {
            let faces = cell(n, 0, 1, 1) + cell(n, 1, 0, 1) + cell(n, 1, 1, 0) + cell(n, 1, 1, 2) + cell(n, 1, 2, 1) + cell(n, 2, 1, 1);
            let edges = cell(n, 0, 0, 1) + cell(n, 0, 1, 0) + cell(n, 0, 1, 2) + cell(n, 0, 2, 1) + cell(n, 1, 0, 0) + cell(n, 1, 0, 2)
                + cell(n, 1, 2, 0) + cell(n, 1, 2, 2) + cell(n, 2, 0, 1) + cell(n, 2, 1, 0) + cell(n, 2, 1, 2) + cell(n, 2, 2, 1);
            2.75 * cell(n, 1, 1, 1) - 0.25 * faces - 0.125 * edges
        })
    }

    fn heat3d<const L: usize, const N: usize, const M: usize>(a: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        a >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|n| {
            let c = cell(n, 1, 1, 1);
            c + 0.125 * (cell(n, 0, 1, 1) - 2 * c + cell(n, 2, 1, 1)) + 0.125 * (cell(n, 1, 0, 1) - 2 * c + cell(n, 1, 2, 1))
                + 0.125 * (cell(n, 1, 1, 0) - 2 * c + cell(n, 1, 1, 2))
        })
    }

    /// A work-item per column of points, which it walks through with three planes at hand.
    fn heat3d_columns<const L: usize, const N: usize, const M: usize>(a: [[[f32; M]; N]; L]) -> [[[f32; M]; N]; L] {
        a >> pad3(1, 1, clamp) >> map(slide2(3, 1)) >> transpose >> map(transpose) >> mapGlb1(mapGlb0(|column|
            column >> mapSeqSlide(|n| {
                let c = cell(n, 1, 1, 1);
                c + 0.125 * (cell(n, 0, 1, 1) - 2 * c + cell(n, 2, 1, 1)) + 0.125 * (cell(n, 1, 0, 1) - 2 * c + cell(n, 1, 2, 1))
                    + 0.125 * (cell(n, 1, 1, 0) - 2 * c + cell(n, 1, 1, 2))
            }, 3, 1))) >> map(transpose) >> transpose
    }
}
