lift::lift! {
    fn moved<const N: usize>(positions: [i32; N], xs: [f32; N]) -> [f32; N] {
        scatterTo(N, false, positions, xs)
    }
}

fn main() {}
