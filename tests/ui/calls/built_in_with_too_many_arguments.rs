lift::lift! {
    fn roots<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| sqrt(x, 2), a)
    }
}

fn main() {}
