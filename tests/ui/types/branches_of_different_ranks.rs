lift::lift! {
    fn chosen<const N: usize, const M: usize>(p: bool, a: [f32; N], b: [[f32; M]; N]) -> [f32; N] { if p { a } else { b } }
}

fn main() {}
