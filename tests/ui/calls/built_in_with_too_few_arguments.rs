lift::lift! {
    fn powers<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| pow(x), a)
    }
}

fn main() {}
