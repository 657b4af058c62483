lift::lift! {
    fn moved<const N: usize, const M: usize>(positions: [i32; M], xs: [f32; N]) -> [f32; N] {
        scatterTo(N, 0, positions, xs)
    }
}

fn main() {}
