lift::lift! {
    fn doubled<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> mapWrg0(mapWrg0(|x| x + x))
    }
}

fn main() {}
