lift::lift! {
    fn least<const N: usize>(xs: [f32x4; N]) -> u32x4 {
        argmin(xs)
    }
}

fn main() {}
