lift::lift! {
    fn flipped<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| !x, a)
    }
}

fn main() {}
