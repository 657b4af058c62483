lift::lift! {
    fn double<const N: usize>(a: [float; N]) -> [f32; N] {
        map(|x| x + x, a)
    }
}

fn main() {}
