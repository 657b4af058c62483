lift::lift! {
    fn sums<const N: usize>(a: [f32; N]) -> ([f32; 4], i32) {
        iterateWhile(10, |(acc, n)| n < 5, |(acc, n)| (acc >> map(|x| x + 1.0), n + 1), ([0.0, 0.0, 0.0, 0.0], 0))
    }
}

fn main() {}
