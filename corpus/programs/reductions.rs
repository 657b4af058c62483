// Reductions of whole arrays, which the work-items of the device share.

lift! {
    fn dot<const N: usize>(x: [f32; N], y: [f32; N]) -> f32 { zip(x, y) >> map(mult) >> reduce(add, 0) }

    /// The initial value enters once.
    fn ten_more<const N: usize>(x: [i32; N]) -> i32 { reduce(add, 10, x) }

    fn total_of_5000(x: [i32; 5000]) -> i32 { reduce(add, 10, x) }

    fn total_of_131071(x: [i32; 131071]) -> i32 { reduce(add, 10, x) }

    fn product<const N: usize>(x: [u32; N]) -> u32 { reduce(mult, 3, x) }

    fn largest<const N: usize>(x: [f32; N]) -> f32 { reduce(max, 0 - 1000, x) }

    fn all_positive<const N: usize>(x: [i32; N]) -> bool { x >> map(|v| v > 0) >> reduce(|a, b| a && b, true) }

    #[assoc]
    #[comm]
    fn smaller(a: (i32, i32), b: (i32, i32)) -> (i32, i32) {
        if b.0 < a.0 || b.0 == a.0 && b.1 < a.1 { b } else { a }
    }

    /// The smallest element and where it is first.
    fn argmin<const N: usize>(x: [i32; N], positions: [i32; N]) -> (i32, i32) {
        zip(x, positions) >> reduce(smaller, (2147483647, 2147483647))
    }

    /// In order: subtraction is no sum.
    fn alternating<const N: usize>(x: [i32; N]) -> i32 { reduce(|acc, v| v - acc, 0, x) }

    fn softmax<const N: usize>(a: [f32; N]) -> [f32; N] {
        let m = reduce(max, 0, a);
        let s = a >> map(|x| exp(x - m)) >> reduce(add, 0);
        a >> map(|x| exp(x - m) / s)
    }

    /// The sum stands inside the function that needs it.
    fn shares<const N: usize>(a: [f32; N]) -> [f32; N] { a >> map(|x| x / reduce(add, 4096, a)) }

    fn extremes<const N: usize>(a: [i32; N]) -> (i32, i32) {
        (reduce(min, 1000000, a), reduce(max, 0 - 1000000, a))
    }

    /// Small arrays as accumulators: each element by itself.
    fn moments<const N: usize>(a: [i32; N]) -> [i32; 3] { a >> reduce(|[n, s, q], x| [n + 1, s + x, q + x * x], [0, 5, 0]) }
    fn centre<const N: usize>(points: [[f64; 3]; N]) -> [f64; 3] {
        points >> reduce(|s, p| zip(s, p) >> map(add), [0.0, 0.0, 1.0]) >> map(|x| x / N as f64)
    }
    fn box_around<const N: usize>(points: [[i16; 2]; N]) -> [[i16; 2]; 2] {
        points >> reduce(|[least, most], p| [zip(least, p) >> map(min), zip(most, p) >> map(max)], [repeat(2, 999), repeat(2, -999)])
    }
    fn second_moments<const N: usize>(points: [[i32; 2]; N]) -> [[i32; 2]; 2] {
        points
            >> map(|p| p >> map(|x| p >> map(|y| x * y)))
            >> reduce(|s, m| zip(s, m) >> map(|s, m| zip(s, m) >> map(add)), repeat(2, repeat(2, 0)))
    }

    fn distance<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
        sqrt(zip(a, b) >> map(|x, y| (x - y) * (x - y)) >> reduce(add, 0)) / 2
    }

    /// The partial sums of the user's own groups, added up by everybody.
    fn two_stages<const N: usize>(a: [i32; N]) -> i32 where N % 64 == 0 {
        a >> split(64) >> mapWrg0(|chunk| chunk >> split(64) >> mapLcl0(|part| part >> reduceSeq(add, 0) >> toGlobal(id)))
          >> join >> reduce(add, 0)
    }
}
