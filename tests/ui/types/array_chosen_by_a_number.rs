lift::lift! {
    fn chosen<const N: usize>(k: i32, a: [f32; N]) -> [f32; N] { if k { a } else { reverse(a) } }
}

fn main() {}
