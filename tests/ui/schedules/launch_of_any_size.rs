lift::lift! {
    #[schedule(mapGlb(0))]
    #[launch(any)]
    fn kernel<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(|x| 2 * x)
    }
}

fn main() {}
