lift::lift! {
    #[schedule(rowsInGroups(64))]
    fn kernel<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| row >> reduce(|acc, x| 0.5 * acc - x, 0))
    }
}

fn main() {}
