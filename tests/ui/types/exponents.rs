lift::lift! {
    fn of_a_float<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| powi(x, x), a)
    }

    fn unsigned<const N: usize>(a: [f64; N], k: u32) -> [f64; N] {
        map(|x| ldexp(x, k), a)
    }

    fn negative<const N: usize>(a: [i32; N]) -> [i32; N] {
        map(|x| pow(x, -1), a)
    }

    fn of_an_integer_and_a_float<const N: usize>(a: [i32; N], y: f64) -> [i32; N] {
        map(|x| pow(x, y), a)
    }

    fn of_another_width<const N: usize>(a: [f32x4; N], k: [i32x2; N]) -> [f32x4; N] {
        zip(a, k) >> map(powi)
    }

    fn of_an_integer<const N: usize>(a: [i32; N]) -> [bool; N] {
        map(|x| x.is_nan(), a)
    }

    fn with_a_name_of_rust(x: f32) -> f32 {
        ln_1p(x)
    }
}

fn main() {}
