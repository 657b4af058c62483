lift::lift! {
    #[schedule(faster)]
    fn kernel<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(|x| 2 * x)
    }
}

fn main() {}
