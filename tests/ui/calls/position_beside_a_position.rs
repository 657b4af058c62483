lift::lift! {
    fn turned<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> gather(|i => j| (i + j) % N)
    }
}

fn main() {}
