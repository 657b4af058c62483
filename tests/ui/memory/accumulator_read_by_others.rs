// The work-items of a group share an accumulator; here each reads the element of another.
lift::lift! {
    fn sums<const N: usize>(a: [[[f32; 8]; 4]; N], z: [f32; 8]) -> [f32; 8 * N] {
        a >> mapWrg0(|rows| rows >> reduceSeq(|acc, row| zip(acc >> reverse, row) >> mapLcl0(add), z)) >> join
    }
}

fn main() {}
