lift::lift! {
    fn weighted<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; K], w: [f32; K]) -> [f32; N] {
        segments(offsets, xs) >> map(|row| dotProduct(row, w))
    }
}

fn main() {}
