lift::lift! {
    fn moments<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; K]) -> [[f32; 2]; N] {
        segments(offsets, xs) >> map(|row| row >> reduce(|[s, q], x| [s + x, q + x * x], [0, 0]))
    }
}

fn main() {}
