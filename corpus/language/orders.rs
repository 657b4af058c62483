// Elements in an order that data decides: filtered, moved to positions from data, numbered.

lift! {
    fn positive<const N: usize>(xs: [i32; N]) -> ([i32; N], u32) { filter(|x| x > 0, xs) }
    /// Pairs are kept together, and only what is kept is added up.
    fn kept_sum<const N: usize>(limit: f32, xs: [(f32, i32); N]) -> i32 {
        let (kept, count) = xs >> filter(|(key, _)| key < limit);
        kept >> map(|i => pair| { let (_, x) = pair; if i as u32 < count { x } else { 0 } }) >> reduce(add, 0)
    }

    fn moved<const M: usize>(n: usize, to: [i32; M], xs: [f64; M]) -> [f64; n] { scatterTo(n, -1.5, to, xs) }
    fn rows_moved<const M: usize, const K: usize>(to: [u8; M], xs: [[i16; K]; M]) -> [[i16; K]; 9] {
        scatterTo(9, repeat(K, 7), to, xs)
    }
    /// The inverse of a permutation.
    fn inverse<const N: usize>(order: [u32; N]) -> [u32; N] {
        scatterTo(N, 0, order, generate(N, |i| i as u32))
    }

    fn least_and_greatest<const N: usize>(xs: [f32; N]) -> (u32, u32) where N >= 1 { tuple(argmin(xs), argmax(xs)) }
    fn least_of_rows<const N: usize, const M: usize>(rows: [[i32; M]; N]) -> [u32; N] where M >= 1 {
        rows >> map(argmin)
    }
    fn numbered<const N: usize>(xs: [i16; N]) -> [(u32, i16); N] { enumerate(xs) }
    fn weighted<const N: usize>(xs: [i32; N]) -> i32 {
        xs >> enumerate >> map(|(i, x)| i as i32 * x) >> reduce(add, 0)
    }
}
