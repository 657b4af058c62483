lift::lift! {
    fn trmv<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> map(|row| zip(row, v) >> map(mult) >> reduce(add, 0))
    }
}

fn main() {}
