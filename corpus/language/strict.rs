// `#[strict]`: programs whose bits are the same on every device and in plain Rust.

lift! {
    #[strict]
    fn axpy<const N: usize>(k: f32, x: [f32; N], y: [f32; N]) -> [f32; N] {
        zip(x, y) >> map(|(x, y)| k * x + y)
    }
    #[strict]
    fn axpy_of_doubles<const N: usize>(k: f64, x: [f64; N], y: [f64; N]) -> [f64; N] {
        zip(x, y) >> map(|(x, y)| k * x + y)
    }
    /// A sum of a whole array, which one work-item adds up.
    #[strict]
    fn inner_product<const N: usize>(x: [f32; N], y: [f32; N]) -> f32 {
        zip(x, y) >> map(mult) >> reduce(add, 0)
    }
    #[strict]
    fn product<const N: usize, const M: usize, const K: usize>(
        a: [[f32; K]; N],
        b: [[f32; M]; K],
    ) -> [[f32; M]; N] {
        a >> map(|row| transpose(b) >> map(|column| zip(row, column) >> map(mult) >> reduce(add, 0)))
    }
    #[strict]
    fn sums_of_rows<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [f32; N] {
        rows >> map(reduce(add, 0))
    }
    #[strict]
    fn moments<const N: usize>(x: [f64; N]) -> (f64, f64, f64) {
        (reduce(add, 0, x), reduce(|s, x| s + x * x, 0, x), reduce(max, 0, x))
    }
    #[strict]
    fn running<const N: usize>(x: [f32; N]) -> [f32; N] { scanInclusive(add, x) }
    #[strict]
    fn running_products<const N: usize>(x: [f64; N]) -> [f64; N] { scan(mult, 1, x) >> map(|p| p * 0.5 + 1) }
    #[strict]
    fn smoothed<const N: usize>(x: [f32; N]) -> [f32; N] where N >= 1 {
        x >> pad(1, 1, clamp) >> slide(3, 1) >> map(|[w, c, e]| 0.3 * w + 0.4 * c + 0.3 * e)
    }
    #[strict]
    fn smoothed_twice<const N: usize, const M: usize>(x: [[f32; M]; N]) -> [[f32; M]; N]
    where N >= 1, M >= 1
    {
        x >> pad2(1, 1, wrap) >> slide2(3, 1)
            >> map2(|[[_, n, _], [w, c, e], [_, s, _]]| 0.2 * (n + w + e + s) + 0.2 * c)
    }
    /// Tables of parts would be combined in another grouping.
    #[strict]
    fn sums_by_key<const N: usize>(keys: [i32; N], xs: [f32; N]) -> [f32; 7] {
        reduceByKey(7, add, 0, keys, xs)
    }
    /// Integers do not round, so that these are divided.
    #[strict]
    fn counts_by_key<const N: usize>(keys: [i32; N]) -> [u32; 7] { histogram(7, keys) }
    #[strict]
    fn least_by_key<const N: usize>(keys: [i32; N], xs: [f32; N]) -> [f32; 7] {
        reduceByKey(7, min, 0.5, keys, xs)
    }
    #[strict]
    fn total<const N: usize>(xs: [i64; N]) -> i64 { reduce(add, 0, xs) }

    fn times(a: (f32, f32), b: (f32, f32)) -> (f32, f32) { (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0) }
    #[strict]
    fn complex_products<const N: usize>(a: [(f32, f32); N], b: [(f32, f32); N]) -> [(f32, f32); N] {
        zip(a, b) >> map(times)
    }
    #[strict]
    fn horner<const N: usize, const D: usize>(coefficients: [f64; D], x: [f64; N]) -> [f64; N] {
        x >> map(|x| coefficients >> reduceSeq(|value, c| value * x + c, 0))
    }
    /// Kernels divide and take square roots exactly on request only.
    #[strict]
    fn quotients<const N: usize>(x: [f32; N], y: [f32; N]) -> [(f32, f32, f32); N] {
        zip(x, y) >> map(|(x, y)| (x / y, sqrt(abs(x)), 1 / y))
    }
    #[strict]
    fn quotients_of_doubles<const N: usize>(x: [f64; N], y: [f64; N]) -> [(f64, f64, f64); N] {
        zip(x, y) >> map(|(x, y)| (x / y, sqrt(abs(x)), 1 / y))
    }
    #[strict]
    fn sums_and_products<const N: usize>(x: [f32; N], y: [f32; N]) -> [(f32, f32, f32, f32); N] {
        zip(x, y) >> map(|(x, y)| (x + y, x - y, x * y, -x))
    }
    #[strict]
    fn extremes<const N: usize>(x: [f32; N], y: [f32; N]) -> [(f32, f32, f32); N] {
        zip(x, y) >> map(|(x, y)| (min(x, y), max(x, y), clampv(x, y, 1)))
    }
    #[strict]
    fn extremes_of_doubles<const N: usize>(x: [f64; N], y: [f64; N]) -> [(f64, f64, f64); N] {
        zip(x, y) >> map(|(x, y)| (min(x, y), max(x, y), clampv(x, y, 1)))
    }
    #[strict]
    fn extremes_of_rows<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [(f32, f32); N] where M >= 1 {
        rows >> map(|row| (reduce(min, head(row), row), reduce(max, head(row), row)))
    }
    /// Loops of fixed length, of which compilers make vectors under a mask.
    #[strict]
    fn extremes_of_short_rows<const N: usize>(rows: [[f32; 13]; N]) -> [(f32, f32); N] {
        rows >> map(|row| (reduce(min, 5, row), reduce(max, -5, row)))
    }
    #[strict]
    fn least<const N: usize>(x: [f32; N]) -> f32 { reduce(min, 1, x) }
    #[strict]
    fn fused<const N: usize>(x: [f32; N], y: [f32; N], z: [f32; N]) -> [(f32, f32); N] {
        zip(x, y, z) >> map(|(x, y, z)| (fma(x, y, z), x * y + z))
    }
    #[strict]
    fn rounded<const N: usize>(x: [f32; N], y: [f32; N]) -> [(f32, f32, f32, f32, f32, f32); N] {
        zip(x, y) >> map(|(x, y)| (floor(x), ceil(x), trunc(x), rint(x), round(x), copysign(x, y)))
    }
    #[strict]
    fn converted<const N: usize>(x: [f64; N], k: [i64; N]) -> [(f32, f32, f64, i32); N] {
        zip(x, k) >> map(|(x, k)| (x as f32, k as f32, k as f64, x as i32))
    }
    #[strict]
    fn dots<const N: usize>(x: [f32x4; N], y: [f32x4; N]) -> [f32; N] { zip(x, y) >> map(dot) }
    #[strict]
    fn extremes_of_vectors<const N: usize>(x: [f32x4; N], y: [f32x4; N]) -> [(f32x4, f32x4); N] {
        zip(x, y) >> map(|(x, y)| (min(x, y), max(-x, y)))
    }
    #[strict]
    fn of_any_float<T: Float, const N: usize>(k: T, x: [T; N], y: [T; N]) -> [(T, T, T); N] {
        zip(x, y) >> map(|(x, y)| (k * x + y, min(x, -y), x / y))
    }
    #[strict]
    fn of_any_number<T: Number, const N: usize>(x: [T; N], y: [T; N]) -> ([(T, T); N], T) {
        (zip(x, y) >> map(|(x, y)| (max(x, y), min(x, y))), reduce(add, 0, x))
    }
    /// A schedule may say who computes what.
    #[strict]
    #[schedule(splitJoin(4))]
    fn scheduled<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; N] {
        zip(x, y) >> map(|(x, y)| x * y + 0.1)
    }
}
