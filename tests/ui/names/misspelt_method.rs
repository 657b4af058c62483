lift::lift! {
    fn roots<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| x.sqr(), a)
    }
}

fn main() {}
