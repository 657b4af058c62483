lift::lift! {
    #[launch(any, local = 64)]
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> mapGlb0(|x| 2 * x)
    }
}

fn main() {}
