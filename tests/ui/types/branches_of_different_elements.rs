lift::lift! {
    fn chosen<const N: usize>(p: bool, a: [f32; N], b: [i32; N]) -> [f32; N] { if p { a } else { b >> map(|x| x + 1) } }
}

fn main() {}
