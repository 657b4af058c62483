lift::lift! {
    #[strict]
    #[schedule(rowsInGroups(64))]
    fn sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(reduce(add, 0))
    }
}

fn main() {}
