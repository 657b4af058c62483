lift::lift! {
    fn products<const N: usize, const K: usize>(ends: [u32; N + 1], others: [u32; N + 1], xs: [f32; K]) -> [f32; N] {
        zip(segments(ends, xs), segments(others, xs)) >> map(|x, y| dotProduct(x, y))
    }
}

fn main() {}
