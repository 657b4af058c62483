lift::lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> split(4) >> mapGlb0(|row| row >> toLocal(mapSeq(id)) >> mapSeq(|x| x + x)) >> join
    }
}

fn main() {}
