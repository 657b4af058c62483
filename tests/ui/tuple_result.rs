lift::lift! {
    fn pairs<const N: usize>(a: [f32; N], b: [f32; N]) -> [(f32, f32); N] {
        zip(a, b)
    }
}

fn main() {}
