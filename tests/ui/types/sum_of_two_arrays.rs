lift::lift! {
    fn sums<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] {
        a + b
    }
}

fn main() {}
