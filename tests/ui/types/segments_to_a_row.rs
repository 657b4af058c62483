lift::lift! {
    fn raised<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; K]) -> [f32; K] {
        segments(offsets, xs) >> map(|row| row >> reduceSeq(|acc, x| acc >> map(|a| a + x), row)) >> join
    }
}

fn main() {}
