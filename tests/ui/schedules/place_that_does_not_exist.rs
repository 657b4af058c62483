lift::lift! {
    #[schedule(mapWrg(0), nth(2, mapLcl(0)))]
    fn kernel<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| row >> map(|x| 2 * x) >> map(|x| x + 1))
    }
}

fn main() {}
