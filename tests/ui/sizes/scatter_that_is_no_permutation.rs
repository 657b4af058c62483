lift::lift! {
    fn moved<const N: usize>(a: [f32; N]) -> [f32; N] {
        scatter(|i| i / 2, a)
    }
}

fn main() {}
