lift::lift! {
    fn turned<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N] {
        m >> transpose >> map(reduce(add, 0))
    }
}

fn main() {}
