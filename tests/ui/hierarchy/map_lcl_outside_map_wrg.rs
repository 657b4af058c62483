lift::lift! {
    fn double<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> mapLcl0(|x| x + x)
    }
}

fn main() {}
