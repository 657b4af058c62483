lift::lift! {
    fn moved<const N: usize>(positions: [f32; N], xs: [f32; N]) -> [f32; N] {
        scatterTo(N, 0, positions, xs)
    }
}

fn main() {}
