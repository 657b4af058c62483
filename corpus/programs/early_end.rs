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

    /// The exponential function by its series, until a term is small.
    fn series(x: f32) -> f32 {
        iterateWhile(
            40,
            |(_, term)| abs(term) > 1e-9,
            |k => (sum, term)| (sum + term, term * x / (k as f32 + 1)),
            (0, 1),
        ).0
    }

    fn exponentials<const N: usize>(xs: [f32; N]) -> [f32; N] {
        map(series, xs)
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

    /// Halves all numbers until their sum is at most 1.
    fn halved_until<const N: usize>(numbers: [f32; N]) -> [f32; N] {
        numbers >> iterateWhile(100, |t| reduce(add, 0.0, t) > 1.0, map(|x| 0.5 * x))
    }

    /// Weak pixels that touch an edge are edges, until nothing changes (Canny, PAMI 1986, section VII). Each
    /// pixel also tells what it was a step before.
    fn hysteresis<const N: usize, const M: usize>(
        weak: [[i32; M]; N],
        strong: [[i32; M]; N],
    ) -> [[i32; M]; N] {
        let changes = |now, before| if now != before { 1 } else { 0 };
        let started = strong >> map2(|pixel| (pixel, -1));
        started
            >> iterateWhile(
                N * M + 1,
                |pixels| reduce(max, 0, pixels >> map2(changes) >> join) > 0,
                |pixels| {
                    let edges = pixels >> map2(|now, _| now);
                    zip2(weak, edges >> padConstant2(1, 1, 0) >> slide2(3, 1), edges)
                        >> map2(|w, touching, now| (if w == 1 { reduce(max, 0, join(touching)) } else { now }, now))
                },
            )
            >> map2(|now, _| now)
    }

    /// Conjugate gradients for Poisson's equation in one dimension, until the residual is small: an element is
    /// one of the solution, of the residual and of the direction (Hestenes, Stiefel, 1952).
    fn conjugate_gradients<const N: usize>(limit: usize, tolerance: f64, b: [f64; N]) -> [f64; N] {
        let squares = |s| reduce(add, 0.0, map(|_, r, _| r * r, s));
        zip(repeat(N, 0.0), b, b)
            >> iterateWhile(
                limit,
                |s| squares(s) > tolerance * tolerance,
                |s| {
                    let product = s
                        >> map(|_, _, p| p)
                        >> padConstant(1, 1, 0.0)
                        >> slide(3, 1)
                        >> map(|w| 2.0 * at(1, w) - at(0, w) - at(2, w))
                        >> store;
                    let before = squares(s);
                    let alpha = before / reduce(add, 0.0, map(|(_, _, p), q| p * q, zip(s, product)));
                    let next = zip(s, product)
                        >> map(|(x, r, p), q| (x + alpha * p, r - alpha * q, p))
                        >> store;
                    let beta = squares(next) / before;
                    next >> map(|x, r, p| (x, r, r + beta * p))
                },
            )
            >> map(|x, _, _| x)
    }

    /// The level of each vertex of a graph whose edges are given by both ends: how many edges lead from vertex 0
    /// to it, found by passing levels on until none changes.
    fn levels<const N: usize, const K: usize>(neighbours: [[u32; K]; N]) -> [u32; N] {
        let started = generate(N, |i| (if i == 0 { 0u32 } else { 1000000 }, 1000001u32));
        started
            >> iterateWhile(
                N,
                |state| reduce(|a, b| a || b, false, map(|now, before| now != before, state)),
                |state| {
                    let now = map(|level, _| level, state) >> store;
                    zip(neighbours, now) >> map(|others, level| (
                        min(level, reduce(min, 1000000u32, others >> map(|j| at(j, now))) + 1),
                        level,
                    ))
                },
            )
            >> map(|level, _| level)
    }

    /// Each work-item of a group adds up its elements of a row, which all of them take in turn, up to a zero.
    fn sums_to_zero<const N: usize, const M: usize>(rows: [[i32; M]; N]) -> [[i32; 256]; N] {
        rows >> mapWrg0(|row| row
            >> deinterleave(256)
            >> mapLcl0(reduceWhile(|sum, x| (x != 0, sum + x), 0)))
    }
}
