lift::lift! {
    fn sums<const N: usize>(a: [[[f32; 8]; 4]; N], z: [f32; 8]) -> [f32; 8 * N] {
        a >> mapWrg0(|rows| rows >> reduceSeq(|acc, row| zip(acc, row) >> mapLcl0(add), z)) >> join
    }
}

fn main() {}
