lift::lift! {
    fn double<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> mapGlb0(mapGlb0(|x| x + x))
    }
}

fn main() {}
