// Tuples as arguments and results.

lift! {
    /// Every number times a whole number.
    pub fn products<const N: usize>(pairs: [(f32, i32); N]) -> [f32; N] {
        pairs >> map(|(x, k)| x * (k as f32))
    }

    /// Numbers with what is known of them.
    pub fn described<const N: usize>(xs: [f32; N], ks: [i32; N]) -> [(f32, (i32, bool)); N] {
        zip(xs, ks) >> map(|(x, k)| (x + 1, (k * 2, x < 0)))
    }

    /// Undoes `described`.
    pub fn plain<const N: usize>(described: [(f32, (i32, bool)); N]) -> [f32; N] {
        described >> map(|(x, (k, negative))| if negative { 0 - x } else { x + (k as f32) })
    }

    /// Both rows and their sum.
    pub fn with_sum<const N: usize>(rows: ([f32; N], [f32; N])) -> ([f32; N], [f32; N], [f32; N]) {
        (rows.0, rows.1, zip(rows.0, rows.1) >> map(add))
    }

    /// An array, a matrix and a number, all scaled.
    pub fn mixed<const N: usize, const M: usize>(p: ([f32; N], [[f32; M]; N], f32)) -> ([[f32; M]; N], ([f32; N], f32)) {
        (p.1 >> map(map(|x| x * p.2)), (p.0 >> map(|x| x + p.2), reduce(add, 0, p.0)))
    }

    /// Pairs of a matrix exchanged, rows and columns too.
    pub fn exchanged<const N: usize, const M: usize>(p: [[(f32, i32); M]; N]) -> [[(i32, f32); N]; M] {
        p >> transpose >> map(map(|(x, k)| (k, x)))
    }

    /// Two arrays side by side, nothing computed.
    pub fn zipped<const N: usize>(a: [f32; N], b: [i32; N]) -> [(f32, i32); N] {
        zip(a, b)
    }

    /// The smallest and the largest number.
    pub fn extremes<const N: usize>(a: [f32; N]) -> (f32, f32) {
        a >> reduce(|(low, high), x| (min(low, x), max(high, x)), (1e30, -1e30))
    }

    /// A number moved into an interval.
    pub fn clamped<const N: usize>(interval: (f32, f32), a: [f32; N]) -> [f32; N] {
        a >> map(|x| min(max(x, interval.0), interval.1))
    }

    /// A kernel that calls one on tuples.
    pub fn doubled<const N: usize>(pairs: [(f32, i32); N]) -> [f32; N] {
        products(pairs) >> map(|x| x * 2)
    }

    /// The components, computed by one map.
    pub fn apart<const N: usize>(a: [f32; N]) -> ([f32; N], [bool; N]) {
        a >> map(|x| (x * 2, x < 0)) >> unzip
    }

    /// The components of an argument, and how many there are.
    pub fn unzipped<const N: usize>(pairs: [(f32, i32); N]) -> (([f32; N], [i32; N]), i32) {
        (unzip(pairs), len(pairs) as i32)
    }

    /// Sums of everything before a pair, with the pairs in reverse.
    pub fn sums_before<const N: usize>(pairs: [(f32, i32); N]) -> [(f32, i32); N] {
        pairs >> reverse >> scan(|(x, k), (y, l)| (x + y, k + l), (0, 0))
    }

    /// Sums of pairs in windows, at the OpenCL level.
    pub fn windows<const N: usize>(pairs: [(f32, f32); N]) -> [(f32, f32); N] {
        pairs >> pad(1, 1, clamp) >> slide(3, 1)
            >> mapGlb0(|window| window >> reduceSeq(|(a, b), (x, y)| (a + x, b + y), (0, 0)))
    }
}
