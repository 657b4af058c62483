lift::lift! {
    fn sums<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] {
        map(|x, y| x + y, a, b)
    }
}

fn main() {}
