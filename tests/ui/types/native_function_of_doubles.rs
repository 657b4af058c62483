use lift::lift;

lift! {
    fn roots<const N: usize>(a: [f64; N]) -> [f64; N] {
        a >> map(|x| native_sqrt(x))
    }

    fn quotients<const N: usize>(a: [i32; N]) -> [i32; N] {
        a >> map(|x| native_divide(1, x))
    }
}

fn main() {}
