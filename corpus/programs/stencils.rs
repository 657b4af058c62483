// The two-dimensional stencils of Hagedorn, Stoltzfus, Steuwer, Gorlatch, Dubach, CGO 2018, table 1.

lift! {
    /// An element of a window.
    fn cell<const H: usize, const W: usize>(window: [[f32; W]; H], row: size, column: size) -> f32 {
        window >> at(row) >> at(column)
    }

    /// A weight for the centre, one for its neighbours, one for the corners (SHOC).
    fn stencil2d<const N: usize, const M: usize>(centre: f32, side: f32, corner: f32, a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n|
            centre * cell(n, 1, 1)
                + side * (cell(n, 0, 1) + cell(n, 1, 0) + cell(n, 1, 2) + cell(n, 2, 1))
                + corner * (cell(n, 0, 0) + cell(n, 0, 2) + cell(n, 2, 0) + cell(n, 2, 2)))
    }

    /// The same with a tile of a work-group in local memory, as in SHOC's kernel.
    fn stencil2d_tiled<const N: usize, const M: usize>(centre: f32, side: f32, corner: f32, a: [[f32; M]; N]) -> [[f32; M]; N]
    where N % 4 == 0, M % 8 == 0
    {
        a >> pad2(1, 1, clamp) >> slide2d(6, 4, 10, 8) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2(3, 1) >> mapLcl1(mapLcl0(|n|
                zip(join(n), [corner, side, corner, side, centre, side, corner, side, corner])
                    >> reduceSeqUnroll(|acc, (x, w)| acc + x * w, 0) >> toGlobal(id)))
        )) >> untile
    }

    /// How strongly a pixel exchanges with its neighbours (Rodinia's speckle reducing anisotropic diffusion,
    /// first kernel).
    fn srad1<const N: usize, const M: usize>(q0: f32, image: [[f32; M]; N]) -> [[f32; M]; N] {
        image >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| {
            let centre = cell(n, 1, 1);
            let north = cell(n, 0, 1) - centre;
            let south = cell(n, 2, 1) - centre;
            let west = cell(n, 1, 0) - centre;
            let east = cell(n, 1, 2) - centre;
            coefficient(q0, centre, north + south + west + east, north * north + south * south + west * west + east * east)
        })
    }

    fn coefficient(q0: f32, centre: f32, sum: f32, squares: f32) -> f32 {
        let gradient = squares / (centre * centre);
        let laplacian = sum / centre;
        let numerator = 0.5 * gradient - (1.0 / 16.0) * (laplacian * laplacian);
        let denominator = 1 + 0.25 * laplacian;
        let q = numerator / (denominator * denominator);
        clampv(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0, 1)
    }

    /// A pixel after the exchange (second kernel): two grids, whose neighbourhoods are zipped.
    fn srad2<const N: usize, const M: usize>(rate: f32, image: [[f32; M]; N], coefficients: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2(image >> pad2(1, 1, clamp) >> slide2(3, 1), coefficients >> pad2(1, 1, clamp) >> slide2(3, 1))
            >> map2(|(n, c)| {
                let centre = cell(n, 1, 1);
                let own = cell(c, 1, 1);
                let divergence = own * (cell(n, 0, 1) - centre) + cell(c, 2, 1) * (cell(n, 2, 1) - centre)
                    + own * (cell(n, 1, 0) - centre) + cell(c, 1, 2) * (cell(n, 1, 2) - centre);
                centre + 0.25 * rate * divergence
            })
    }

    /// The temperature of a chip after a step (Rodinia): neighbourhoods of one grid, elements of another.
    fn hotspot2d<const N: usize, const M: usize>(
        step: f32, rx: f32, ry: f32, rz: f32, ambient: f32, temperature: [[f32; M]; N], power: [[f32; M]; N]) -> [[f32; M]; N]
    {
        zip2(temperature >> pad2(1, 1, clamp) >> slide2(3, 1), power) >> map2(|(n, p)| {
            let t = cell(n, 1, 1);
            t + step * (p + (cell(n, 0, 1) + cell(n, 2, 1) - 2 * t) * ry
                + (cell(n, 1, 0) + cell(n, 1, 2) - 2 * t) * rx + (ambient - t) * rz)
        })
    }

    /// 5x5 weights.
    fn gaussian5<const N: usize, const M: usize>(w: [[f32; 5]; 5], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(2, 2, clamp) >> slide2(5, 1) >> map2(|n| zip(join(n), join(w)) >> map(mult) >> reduce(add, 0))
    }

    /// The inverse length of the gradient.
    fn gradient<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| {
            let c = cell(n, 1, 1);
            let squares = [cell(n, 0, 1), cell(n, 1, 0), cell(n, 1, 2), cell(n, 2, 1)]
                >> map(|x| (c - x) * (c - x)) >> reduce(add, 0);
            rsqrt(0.5 + squares)
        })
    }

    fn jacobi2d5<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n|
            0.25 * (cell(n, 0, 1) + cell(n, 1, 0) + cell(n, 1, 2) + cell(n, 2, 1)) + 0.5 * cell(n, 1, 1))
    }

    fn jacobi2d9<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (n >> join >> reduce(add, 0)) * 0.125)
    }
}
