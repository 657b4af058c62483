lift::lift! {
    fn sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| row >> reduce(add))
    }
}

fn main() {}
