lift::lift! {
    fn firsts<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; K]) -> [f32; N] {
        segments(offsets, xs) >> map(|row| head(row))
    }
}

fn main() {}
