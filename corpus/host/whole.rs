// Arrays that are computed from numbers about the whole array, and programs with several results from one
// array.

lift! {
    fn moments_in_one<const N: usize>(a: [f32; N]) -> (f32, f32) where N >= 1 {
        let mean = (a >> reduce(add, 0)) / (N as f32);
        let square = (a >> map(|x| x * x) >> reduce(add, 0)) / (N as f32);
        (mean, square - mean * mean)
    }

    fn sum_of<const N: usize>(a: [f32; N]) -> f32 { a >> reduce(add, 0) }

    fn squares_of<const N: usize>(a: [f32; N]) -> f32 { a >> map(|x| x * x) >> reduce(add, 0) }

    fn standardised_in_one<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 1 {
        let mean = (a >> reduce(add, 0)) / (N as f32);
        let square = (a >> map(|x| x * x) >> reduce(add, 0)) / (N as f32);
        let deviation = sqrt(square - mean * mean);
        a >> map(|x| (x - mean) / deviation)
    }

    fn shifted_and_divided<const N: usize>(a: [f32; N], mean: f32, deviation: f32) -> [f32; N] {
        a >> map(|x| (x - mean) / deviation)
    }

    #[assoc]
    #[comm]
    fn larger(a: (f32, i32), b: (f32, i32)) -> (f32, i32) {
        if a.0 > b.0 || (a.0 == b.0 && a.1 < b.1) { a } else { b }
    }

    #[assoc]
    #[comm]
    fn smaller(a: (f32, i32), b: (f32, i32)) -> (f32, i32) {
        if a.0 < b.0 || (a.0 == b.0 && a.1 < b.1) { a } else { b }
    }

    fn extremes_in_one<const N: usize>(a: [f32; N]) -> ((f32, i32), (f32, i32)) {
        let placed = zip(a, generate(N, |i| i as i32));
        (placed >> reduce(smaller, (1e30, 0)), placed >> reduce(larger, (-1e30, 0)))
    }

    fn smallest_of<const N: usize>(a: [f32; N]) -> (f32, i32) {
        zip(a, generate(N, |i| i as i32)) >> reduce(smaller, (1e30, 0))
    }

    fn largest_of<const N: usize>(a: [f32; N]) -> (f32, i32) {
        zip(a, generate(N, |i| i as i32)) >> reduce(larger, (-1e30, 0))
    }

    fn iterated<const N: usize>(a: [[f32; N]; N], x: [f32; N]) -> [f32; N] {
        x >> iterate(16, |x| {
            let y = a >> map(|row| dotProduct(row, x));
            let norm = sqrt(dotProduct(y, y));
            y >> map(|value| value / norm)
        })
    }

    fn multiplied_by<const N: usize>(a: [[f32; N]; N], x: [f32; N]) -> [f32; N] { a >> map(|row| dotProduct(row, x)) }

    fn divided_by_norm<const N: usize>(y: [f32; N]) -> [f32; N] {
        let norm = sqrt(dotProduct(y, y));
        y >> map(|value| value / norm)
    }

    fn blurred_in_one<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] where N >= 1, M >= 1 {
        let rows = a >> map(|row| row >> pad(8, 8, clamp) >> slide(17, 1) >> map(|w| (w >> reduce(add, 0)) / 17));
        rows >> transpose >> map(|column| column >> pad(8, 8, clamp) >> slide(17, 1) >> map(|w| (w >> reduce(add, 0)) / 17))
            >> transpose
    }

    fn rows_blurred<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] where M >= 1 {
        a >> map(|row| row >> pad(8, 8, clamp) >> slide(17, 1) >> map(|w| (w >> reduce(add, 0)) / 17))
    }

    fn columns_blurred<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [[f32; M]; N] where N >= 1 {
        rows >> transpose >> map(|column| column >> pad(8, 8, clamp) >> slide(17, 1) >> map(|w| (w >> reduce(add, 0)) / 17))
            >> transpose
    }
}
