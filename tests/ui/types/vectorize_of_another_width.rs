lift::lift! {
    fn squares<const N: usize>(a: [f32x4; N]) -> [f32x4; N] {
        a >> map(vectorize(2, |x| x * x))
    }
}

fn main() {}
