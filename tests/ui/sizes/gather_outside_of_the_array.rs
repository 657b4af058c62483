lift::lift! {
    fn next<const N: usize>(a: [f32; N]) -> [f32; N] {
        gather(|i| i + 1, a)
    }
}

fn main() {}
