lift::lift! {
    fn kept<const N: usize>(xs: [f32; N]) -> ([f32; N], u32) {
        filter(xs, |x| x > 0)
    }
}

fn main() {}
