lift::lift! {
    fn sums<const N: usize>(a: [[f32; 4]; N]) -> [f32; 4] {
        a >> reduceWhile(|acc, row| (at(0, acc) < 1.0, map(|x, y| x + y, zip(acc, row))), [0.0, 0.0, 0.0, 0.0])
    }
}

fn main() {}
