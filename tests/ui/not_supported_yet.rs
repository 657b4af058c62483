lift::lift! {
    fn steps<const N: usize>(a: [f32; N]) -> [f32; N] {
        iterate(3, map(|x| x + x), a)
    }
}

fn main() {}
