lift::lift! {
    fn smoothed<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> iterateWhile(3, |xs| reduce(add, 0.0, xs) > 1.0, |i => xs| xs >> map(|x| x * i as f32))
    }
}

fn main() {}
