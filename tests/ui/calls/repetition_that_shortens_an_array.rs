lift::lift! {
    fn settled<const N: usize>(a: [f32; 2 * N]) -> [f32; 2 * N] {
        a >> iterateWhile(100, |t| reduce(add, 0.0, t) > 1.0, split(2) >> map(reduce(add, 0.0)))
    }
}

fn main() {}
