lift::lift! {
    fn doubled<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> mapGlb0(|row| row >> toPrivate(mapSeq(id)) >> reverse >> mapSeq(|x| x + x))
    }
}

fn main() {}
