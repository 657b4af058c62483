lift::lift! {
    fn product<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
        dot(a, b)
    }
}

fn main() {}
