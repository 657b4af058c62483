lift::lift! {
    fn double<const N: usize>(x: f32, a: [f32; N]) -> [f32; N] {
        map(|y| y + y, x)
    }
}

fn main() {}
