// Loops that end when data says so: escapes, roots, rays, digits, searches.

lift! {
    /// How many steps a point takes until it escapes, at most 200.
    fn mandelbrot<const N: usize, const M: usize>(re: [f32; M], im: [f32; N]) -> [[i32; M]; N] {
        im >> map(|y| re >> map(|x| {
            let (_, _, steps) = iterateWhile(
                200,
                |(a, b, _)| a * a + b * b <= 4.0,
                |(a, b, n)| (a * a - b * b + x, 2.0 * a * b + y, n + 1),
                (0.0, 0.0, 0),
            );
            steps
        }))
    }

    /// A square root by Newton's method.
    fn newton_root(a: f64) -> f64 {
        iterateWhile(60, |x| abs(x * x - a) > 1e-12 * a, |x| 0.5 * (x + a / x), a)
    }

    fn newton_roots<const N: usize>(numbers: [f64; N]) -> [f64; N] {
        map(newton_root, numbers)
    }

    /// How far a ray along the third axis gets until it is near a sphere of radius 1 at the origin, by sphere
    /// tracing (Hart, The Visual Computer, 1996): the distance to the sphere is a step that is safe.
    fn march<const N: usize>(starts: [(f32, f32, f32); N]) -> [f32; N] {
        starts >> map(|x, y, z| {
            let distance = |t| sqrt(x * x + y * y + (z + t) * (z + t)) - 1.0;
            iterateWhile(64, |t| distance(t) > 0.001 && t < 10.0, |t| t + distance(t), 0.0)
        })
    }

    /// The steps of Collatz's sequence from each number down to 1.
    fn collatz<const N: usize>(numbers: [u32; N]) -> [u32; N] {
        numbers >> map(|n| iterateWhile(
            1000,
            |(n, _)| n != 1,
            |(n, steps)| (if n & 1 == 0 { shr(n, 1) } else { 3 * n + 1 }, steps + 1),
            (n, 0),
        ).1)
    }

    fn gcd(a: u64, b: u64) -> u64 {
        iterateWhile(100, |(_, b)| b != 0, |(a, b)| (b, a % b), (a, b)).0
    }

    fn gcds<const N: usize>(pairs: [(u64, u64); N]) -> [u64; N] {
        map(gcd, pairs)
    }

    /// The position of the first element of each row above a limit; the length of the row if there is none.
    fn first_above<const N: usize, const M: usize>(limit: f32, rows: [[f32; M]; N]) -> [i32; N] {
        rows >> map(|row| row >> reduceWhile(
            |(found, i), x| (!found, if x > limit { (true, i) } else { (false, i + 1) }),
            (false, 0),
        )) >> map(|_, i| i)
    }

    /// How many elements of a whole array come before their sum exceeds a budget.
    fn affordable<const N: usize>(budget: i32, prices: [i32; N]) -> i32 {
        let (count, _) = prices >> reduceWhile(
            |(count, spent), price| (spent + price <= budget, (count + 1, spent + price)),
            (0, 0),
        );
        count
    }

    /// The powers of a number up to a bound that is a size, with the number of the step.
    fn weighted<const N: usize>(xs: [i32; N]) -> [i32; N] {
        xs >> map(|x| iterateWhile(N, |sum| sum < 100, |k => sum| sum + x * (k as i32 + 1), 0))
    }

    /// Windows whose elements are multiplied until one is zero.
    fn products<const N: usize>(xs: [i32; N + 3]) -> [i32; N + 1] {
        xs >> slide(3, 1) >> map(|window| reduceWhile(|p, x| (x != 0, p * x), 1, window))
    }

    /// Two components of a vector at a time.
    fn halved<const N: usize>(xs: [f32; 2 * N]) -> [f32; 2 * N] {
        xs >> asVector(2) >> map(|v| iterateWhile(20, |w| dot(w, w) > 1.0, |w| w * 0.5, v)) >> asScalar
    }
}
