lift::lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(a, |x| 2 * x)
    }
}

fn main() {}
