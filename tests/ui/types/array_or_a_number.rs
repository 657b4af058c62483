lift::lift! {
    fn chosen<const N: usize>(p: bool, a: [f32; N]) -> [f32; N] { if p { a } else { 0.0 } }
}

fn main() {}
