lift::lift! {
    fn firsts<const N: usize>(a: [f32x4; N]) -> [f32; N] {
        map(|v| v.0, a)
    }
}

fn main() {}
