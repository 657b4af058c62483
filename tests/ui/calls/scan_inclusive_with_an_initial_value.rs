lift::lift! {
    fn sums<const N: usize>(a: [f32; N]) -> [f32; N] {
        scanInclusive(add, 0, a)
    }
}

fn main() {}
