lift::lift! {
    fn chosen<const N: usize>(a: [f32; N]) -> [f32; min(N, 4)] { if N >= 8 { slice(0, 4, a) } else { a } }
}

fn main() {}
