lift::lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> mapGlb3(|x| x + x)
    }
}

fn main() {}
