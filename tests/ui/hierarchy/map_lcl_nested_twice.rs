lift::lift! {
    fn doubled<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> split(1) >> mapWrg0(mapLcl0(mapLcl0(|x| x + x))) >> join
    }
}

fn main() {}
