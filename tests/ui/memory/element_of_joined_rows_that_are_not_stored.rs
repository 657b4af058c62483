lift::lift! {
    fn windows<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N * (N + 1) / 2 - 2] where N >= 2 {
        m >> map(map(|x| x * 2)) >> join >> slide(3, 1) >> map(reduce(add, 0))
    }
}

fn main() {}
