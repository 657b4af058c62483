lift::lift! {
    fn steps<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(|a| iterateWhile(20, |x| x < 10.0, |x| (x + 1.0, 1), a))
    }
}

fn main() {}
