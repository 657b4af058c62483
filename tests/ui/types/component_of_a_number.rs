lift::lift! {
    fn firsts<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| x.0, a)
    }
}

fn main() {}
