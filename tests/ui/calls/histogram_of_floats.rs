lift::lift! {
    fn counts<const N: usize>(xs: [f32; N]) -> [u32; 16] {
        histogram(16, xs)
    }
}

fn main() {}
