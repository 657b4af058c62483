lift::lift! {
    #[schedule(splitJoin(3))]
    fn kernel<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 4 {
        a >> slice(0, 4) >> map(|x| 2 * x) >> pad(0, N - 4, clamp)
    }
}

fn main() {}
