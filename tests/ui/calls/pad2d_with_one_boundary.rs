lift::lift! {
    fn padded<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M + 2]; N + 2] {
        a >> pad2d(1, 1, 1, 1, clamp)
    }
}

fn main() {}
