lift::lift! {
    fn third<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b) >> map(|t| t.2)
    }
}

fn main() {}
