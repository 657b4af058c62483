lift::lift! {
    #[schedule(innermost(toLocal))]
    fn kernel<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> mapGlb0(id)
    }
}

fn main() {}
