lift::lift! {
    fn firsts<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b).0
    }
}

fn main() {}
