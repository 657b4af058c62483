lift::lift! {
    fn sums<const N: usize>(offsets: [u32; N + 1], xs: [i32; 0]) -> [i32; N] {
        reduceSegments(add, 0, offsets, xs)
    }
}

fn main() {}
