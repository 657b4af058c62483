lift::lift! {
    fn nested<const N: usize>(a: [f32; N]) -> [f32; N] {
        iterate(2, split(1), a)
    }
}

fn main() {}
