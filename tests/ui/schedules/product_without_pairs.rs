lift::lift! {
    #[schedule(tileProduct(32, 32, 8, 8, 4))]
    fn kernel<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| row >> map(|x| 2 * x))
    }
}

fn main() {}
