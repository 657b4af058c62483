lift::lift! {
    fn settled<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] {
        get(0, iterateWhile(100, |(a, _)| head(a) > 1.0, |(a, b)| (b, a), (a, b)))
    }
}

fn main() {}
