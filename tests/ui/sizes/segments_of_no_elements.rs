lift::lift! {
    fn sums<const N: usize>(offsets: [u32; N + 1], xs: [f32; 0]) -> [f32; N] {
        segments(offsets, xs) >> map(reduce(add, 0))
    }
}

fn main() {}
