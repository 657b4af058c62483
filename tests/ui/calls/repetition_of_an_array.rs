lift::lift! {
    fn settled<const N: usize>(a: [f32; N]) -> [f32; N] {
        iterateWhile(100, |t| at(0, t) > 1.0, |t| map(|x| 0.5 * x, t), a)
    }
}

fn main() {}
