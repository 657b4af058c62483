lift::lift! {
    fn rows<const N: usize>(a: [[[f32; 64]; 6]; N]) -> [[[f32; 64]; 6]; N] {
        let moved = |row| row >> toLocal(mapLcl0(|x| x + 1.0)) >> reverse >> mapLcl0(id);
        a >> mapWrg0(|rows| rows >> partition(3, |i| i + 1) >> mapLcl1(mapSeq(moved)) >> join)
    }
}

fn main() {}
