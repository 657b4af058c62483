// User functions, which are ordinary Rust functions with the meaning that they have in a kernel.

lift! {
    /// Both scaled.
    pub fn scaled(x: (f32, f32), by: f32) -> (f32, f32) {
        let (a, b) = x;
        (a * by, b * by)
    }

    fn sum_of_scaled(x: (f32, f32)) -> f32 {
        let y = scaled(x, 2);
        y.0 + y.1
    }

    fn add_wrapping(a: i8, b: i8) -> i8 { a + b }
    fn negate_wrapping(a: i32) -> i32 { -a }
    fn multiply_wrapping(a: u32, b: u32) -> u32 { a * b }
    fn quotient(a: i32, b: i32) -> i32 { a / b }
    fn remainder(a: i32, b: i32) -> i32 { a % b }
    fn smaller(a: f32, b: f32) -> f32 { min(a, b) }
    fn larger_integer(a: i64, b: i64) -> i64 { a.max(b) }
    fn magnitude(a: i32) -> i32 { abs(a) }
    fn to_byte(a: f32) -> u8 { a as u8 }
    fn truth(a: bool) -> f32 { if a && !false { 1 } else { 0 } }
    fn tenth(a: f64) -> f64 { a * 0.1 }
    fn tenth_in_single(a: f32) -> f32 { a * 0.1 }
    fn root(a: f32) -> f32 { a.sqrt() }
    fn clamped(a: f32) -> f32 { clampv(a, 0, 1) }
    fn direction(a: f32) -> f32 { sign(a) }
    fn direction_of_integer(a: i32) -> i32 { sign(a) }
    fn chosen(c: bool, a: f32, b: f32) -> f32 { select(c, a, b) }
    fn shadowed(x: f32) -> f32 {
        let x = x + 1;
        let x = x * x;
        x
    }

    fn golden_ratio() -> f64 { (1 + sqrt(5)) / 2 }
    fn golden() -> [f64; 2] { generate(2, |i| golden_ratio() + i as f64) }
    fn with_golden(a: [f64; 2]) -> [f64; 2] {
        let half = || golden_ratio() / 2;
        a >> map(|x| x * half())
    }

    fn mean_of_squares<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| shadowed(x) / 2, a)
    }
}
