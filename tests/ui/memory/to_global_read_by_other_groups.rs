lift::lift! {
    fn sums<const N: usize>(a: [[f32; 4]; N]) -> [[f32; 4]; N] {
        a >> mapSeq(|row| row >> toGlobal(mapGlb0(|x| x + x)) >> reverse >> mapGlb0(id))
    }
}

fn main() {}
