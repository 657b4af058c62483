lift::lift! {
    fn sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> f32 {
        a >> reduce(add, 0)
    }
}

fn main() {}
