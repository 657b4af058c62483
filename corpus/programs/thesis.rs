// The stencil programs of Hagedorn's thesis and of CGO 2018.

lift! {
    /// The sum of every 3-neighbourhood: the project's founding example.
    fn founding<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a)))
    }

    /// Heat diffusion in one dimension (thesis, example 2.8).
    fn heat<const N: usize>(cs: [f32; 3], a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| zip(cs, nbh) >> map(mult) >> reduce(add, 0))
    }

    fn weighted_sums<const N: usize>(ws: [f32; 17], padded: [f32; N + 16]) -> [f32; N] {
        padded >> slide(17, 1) >> map(|nbh| zip(ws, nbh) >> map(mult) >> reduce(add, 0))
    }

    fn convolve_clamp<const N: usize>(ws: [f32; 17], a: [f32; N]) -> [f32; N] {
        weighted_sums(ws, pad(8, 8, clamp, a))
    }

    fn convolve_mirror<const N: usize>(ws: [f32; 17], a: [f32; N]) -> [f32; N] {
        weighted_sums(ws, pad(8, 8, mirror, a))
    }

    fn convolve_wrap<const N: usize>(ws: [f32; 17], a: [f32; N]) -> [f32; N] {
        weighted_sums(ws, pad(8, 8, wrap, a))
    }

    fn convolve_constant<const N: usize>(ws: [f32; 17], a: [f32; N]) -> [f32; N] {
        weighted_sums(ws, padConstant(8, 8, 2.5, a))
    }

    /// The sum of every 3x3 neighbourhood (thesis, example 2.9).
    fn jacobi9<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, mirror) >> slide2(3, 1) >> map2(|nbh| nbh >> join >> reduce(add, 0))
    }

    /// Whether a cell lives on, given the number of living cells in its neighbourhood.
    fn survive(sum: i32) -> i32 {
        if 1 < sum && sum < 4 { 1 } else { 0 }
    }

    /// Conway's game (thesis, example 2.11).
    fn game_of_life<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> pad2(1, 1, mirror) >> slide2(3, 1) >> map2(|nbh| nbh >> join >> reduce(add, 0) >> survive)
    }

    /// Convolution with 3x3 weights (thesis, definition 2.20).
    fn gaussian3<const N: usize, const M: usize>(ws: [f32; 9], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|nbh| zip(ws, join(nbh)) >> map(mult) >> reduce(add, 0))
    }

    /// Weighted sums along the rows.
    fn sobel_rows<const N: usize, const M: usize>(ws: [f32; 3], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| row >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| zip(ws, nbh) >> map(mult) >> reduce(add, 0)))
    }

    /// Weighted sums along the columns.
    fn sobel_columns<const N: usize, const M: usize>(ws: [f32; 3], a: [[f32; M]; N]) -> [[f32; M]; N] {
        transpose(sobel_rows(ws, transpose(a)))
    }

    fn length(x: f32, y: f32) -> f32 {
        sqrt(x * x + y * y)
    }

    /// The magnitude of the gradient from its two components.
    fn sobel_magnitude<const N: usize, const M: usize>(x: [[f32; M]; N], y: [[f32; M]; N]) -> [[f32; M]; N] {
        zip2(x, y) >> map2(length)
    }

    /// The same from the picture, with 3x3 weights.
    fn sobel<const N: usize, const M: usize>(wx: [f32; 9], wy: [f32; 9], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|nbh| {
            let pixels = join(nbh);
            let x = zip(wx, pixels) >> map(mult) >> reduce(add, 0);
            let y = zip(wy, pixels) >> map(mult) >> reduce(add, 0);
            length(x, y)
        })
    }
}
