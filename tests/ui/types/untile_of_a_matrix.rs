lift::lift! {
    fn whole<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        untile(a)
    }
}

fn main() {}
