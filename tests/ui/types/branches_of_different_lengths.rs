lift::lift! {
    fn chosen<const N: usize>(p: bool, a: [f32; N], b: [f32; N + 1]) -> [f32; N] { if p { a } else { b } }
}

fn main() {}
