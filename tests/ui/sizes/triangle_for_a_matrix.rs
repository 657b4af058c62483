lift::lift! {
    fn sums<const N: usize, const M: usize>(m: [[f32; M]; N]) -> [f32; N] {
        m >> map(reduce(add, 0))
    }

    fn triangle_sums<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N] {
        sums(m)
    }
}

fn main() {}
