lift::lift! {
    fn steps<const N: usize>(a: [f32; N]) -> [f32; N] {
        vectorize(4, sqrt, a)
    }
}

fn main() {}
