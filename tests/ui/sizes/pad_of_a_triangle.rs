lift::lift! {
    fn sums<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N + 2] {
        m >> pad(1, 1, clamp) >> map(reduce(add, 0))
    }
}

fn main() {}
