lift::lift! {
    fn sums<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; K]) -> [f32; K] {
        segments(offsets, xs) >> map(|row| row >> scan(add, 0)) >> join
    }
}

fn main() {}
