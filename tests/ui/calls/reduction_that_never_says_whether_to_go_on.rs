lift::lift! {
    fn sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(reduceWhile(|sum, x| sum + x, 0.0))
    }
}

fn main() {}
