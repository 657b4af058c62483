lift::lift! {
    fn settled<const N: usize>(a: [[f32; 16]; N]) -> [[f32; 16]; N] {
        a >> map(iterateWhile(100, |row| reduce(add, 0.0, row) > 1.0, map(|x| 0.5 * x)))
    }
}

fn main() {}
