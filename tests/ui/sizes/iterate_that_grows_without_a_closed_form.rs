lift::lift! {
    fn grown<const N: usize>(m: size, a: [f32; N]) -> [f32; N] {
        iterate(m, |xs| xs >> map(|x| repeat(len(xs), x)) >> join, a)
    }
}

fn main() {}
