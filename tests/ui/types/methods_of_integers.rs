lift::lift! {
    fn of_a_float<const N: usize>(a: [f32; N]) -> [u32; N] {
        map(|x| x.count_ones(), a)
    }

    fn with_too_many<const N: usize>(a: [u64; N]) -> [u32; N] {
        map(|x| x.leading_zeros(1), a)
    }

    fn with_too_few<const N: usize>(a: [u64; N]) -> [u64; N] {
        map(|x| x.rotate_left(), a)
    }

    fn of_an_open_type<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| { let k = 3; x + k.wrapping_mul(5) as f32 }, a)
    }
}

fn main() {}
