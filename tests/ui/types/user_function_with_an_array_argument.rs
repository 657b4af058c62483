lift::lift! {
    fn half(x: f32) -> f32 {
        x / 2
    }

    fn halves<const N: usize>(a: [f32; N]) -> [f32; N] {
        half(a)
    }
}

fn main() {}
