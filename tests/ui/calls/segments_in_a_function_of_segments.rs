lift::lift! {
    fn products<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; K]) -> [[f32; N]; N] {
        let rows = segments(offsets, xs);
        rows >> map(|row| rows >> map(|other| dotProduct(row, other)))
    }
}

fn main() {}
