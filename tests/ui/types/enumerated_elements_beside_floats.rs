lift::lift! {
    fn weighted<const N: usize>(xs: [f32; N]) -> [f32; N] {
        enumerate(xs) >> map(|i, x| i * x)
    }
}

fn main() {}
