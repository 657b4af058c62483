lift::lift! {
    fn sums<const N: usize>(m: [i => [f32; sum(i, 1)]; N]) -> [f32; N] {
        m >> map(reduce(add, 0))
    }
}

fn main() {}
