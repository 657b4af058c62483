lift::lift! {
    fn grown<const N: usize>(m: [i => [f32; i + 1]; N]) -> [i => [f32; i + 2]; N] {
        m >> map(map(|x| x + 1))
    }
}

fn main() {}
