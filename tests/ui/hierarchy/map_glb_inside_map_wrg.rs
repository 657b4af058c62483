lift::lift! {
    fn double<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> mapWrg0(mapGlb1(|x| x + x))
    }
}

fn main() {}
