// High-level programs in which an array is computed with loops and read repeatedly: a kernel of its own
// stores it, wherever it stands.

lift! {
    fn product<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> map(|row| zip(row, x) >> map(mult) >> reduce(add, 0))
    }

    /// One part of the result is what the other is made from.
    fn both<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> ([f32; N], [f32; M]) {
        let y = product(a, x);
        (y, product(transpose(a), y))
    }

    /// Each part has an array of its own to store.
    fn parts<const N: usize>(a: [[f32; N]; N], x: [f32; N]) -> ([f32; N], [f32; N]) {
        (product(a, product(a, x)), product(a, product(transpose(a), x)))
    }

    fn put_together<const N: usize>(a: [[f32; N]; N], x: [f32; N]) -> [f32; 3 * N] {
        concat(product(a, product(a, x)), x, product(a, product(transpose(a), x)))
    }

    /// An array, its sum, and both again.
    fn relative<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        let y = product(a, x);
        let total = reduce(add, 0, y);
        y >> map(|v| v - total)
    }

    /// The array stands inside the function that reads it.
    fn inside<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M], z: [f32; N]) -> [f32; N] {
        z >> map(|c| product(a, x) >> map(|y| max(y, c)) >> reduce(add, 0))
    }

    /// Windows of sums of windows.
    fn twice<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| n >> join >> reduce(add, 0))
          >> pad2(1, 1, mirror) >> slide2(3, 1) >> map2(|n| n >> join >> reduce(add, 0))
    }

    /// A chain in which every array is cheap; all together would take three to the power of six.
    fn smoothed_again<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 1 {
        let once = smoothed(smoothed(smoothed(a)));
        smoothed(smoothed(smoothed(once)))
    }

    fn smoothed<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, wrap) >> slide(3, 1) >> map(|n| 0.25 * at(0, n) + 0.5 * at(1, n) + 0.25 * at(2, n))
    }

    /// Both rows are bound at once.
    fn beside_two_rows<const N: usize, const M: usize>(a: [[f32; M]; N], i: u32) -> [[f32; M]; N] where N >= 1 {
        let pair = (at(i, a), at(i + 1, a));
        a >> map(|row| { let s = dotProduct(row, pair.0); zip(row, pair.1) >> map(|x, y| x * y + s) })
    }

    /// A scalar and an array that take loops each, in one tuple in the function of a map.
    fn sum_and_squares<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| {
            let (sum, prefixes) = (row >> reduce(add, 0), row >> scanInclusive(add));
            zip(row, prefixes) >> map(|x, prefix| x * prefix - sum)
        })
    }

    /// Rows made from their numbers, with a sum for each.
    fn made_rows<const M: usize>(a: [f32; M], n: size) -> [[f32; M]; n] {
        generate(n, |i| { let row = a >> map(|x| x + i as f32); let sum = reduce(add, 0, row); row >> map(|x| x * sum) })
    }

    /// The weights are the same in all applications.
    fn weighted_again<const N: usize, const M: usize>(a: [f32; N], w: [[f32; N]; M], n: size) -> [f32; N] {
        a >> iterate(n, |x| {
            let weights = w >> transpose >> map(reduce(add, 0));
            zip(x, weights) >> map(|x, weight| x * weight + reduce(add, 0, weights))
        })
    }

    #[assoc]
    #[comm]
    fn larger(x: f32, y: f32) -> f32 {
        if x < y { y } else { x }
    }

    /// A total beside a map, whose last steps one work-item takes: nothing is known that parts may start from.
    fn largest_and_next<const N: usize>(a: [f32; N]) -> (f32, [f32; N]) {
        (a >> reduce(larger, 0), a >> map(|x| x + 1))
    }

    /// Rows of different lengths; each becomes a row of the same length.
    fn scaled_by_rows<const N: usize, const M: usize>(m: [i => [f32; i + 1]; N], b: [f32; M]) -> [[f32; M]; N] {
        m >> map(|row| { let sum = reduce(add, 0, row); b >> map(|x| x * sum) })
    }

    /// The nearest of the clusters, and how many points have each.
    fn population<const N: usize, const C: usize>(points: [f32; N], clusters: [f32; C]) -> [i32; C] {
        let nearest = points >> map(|p| {
            let best = zip(clusters, generate(C, |c| c as i32))
                >> reduce(|(least, at), (cluster, c)| if abs(p - cluster) < least { (abs(p - cluster), c) } else { (least, at) }, (1e30, 0));
            best.1
        });
        generate(C, |c| nearest >> map(|n| if n == c as i32 { 1 } else { 0 }) >> reduce(add, 0))
    }

    /// Sums of rows of different lengths are an array of as many numbers.
    fn triangle<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        let sums = m >> map(|row| row >> reduce(add, 0));
        v >> map(|x| sums >> map(|s| s * x) >> reduce(add, 0))
    }

    /// An element at a position from data, which later kernels need as well.
    fn beside_one<const N: usize>(a: [f32; N], position: i32) -> [f32; N] where N > 0 {
        let one = at(position, a);
        a >> map(|x| x * one + reduce(add, 0, a))
    }

    /// What an `iterate` makes of a row is there once.
    fn iterated<const N: usize, const M: usize>(a: [[f32; N]; M], w: [[f32; N]; N]) -> [[f32; N]; M] {
        a >> map(|row| { let t = iterate(5, map(|x| 1 - x), row); w >> map(|r| dotProduct(r, t)) })
    }

    /// The padded rows show each row more often than the array has it, where there are few.
    fn padded<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N + 6] {
        a >> map(reduce(add, 0)) >> pad(3, 3, wrap) >> map(|x| x + 1)
    }

    /// Both parts of a pair are stored together.
    fn counted_sums<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        let (sums, count) = rows
            >> reduceSeq(|(sums, count), row| (zip(sums, row) >> map(add), count + 1), (repeat(M, 0), 0))
            >> store;
        rows >> map(|row| zip(row, sums) >> map(|x, sum| x * count + sum))
    }
}
