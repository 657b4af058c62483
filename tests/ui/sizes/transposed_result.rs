lift::lift! {
    fn turned<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        transpose(a)
    }
}

fn main() {}
