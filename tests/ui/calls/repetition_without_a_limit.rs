lift::lift! {
    fn roots<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(|a| iterateWhile(|x| x * x > a, |x| 0.5 * (x + a / x), a))
    }
}

fn main() {}
