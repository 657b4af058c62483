lift::lift! {
    fn chunks_of<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; K]) -> [f32; N] {
        segments(offsets, xs) >> map(|row| generate(2 * len(row), |k| at(k as i32, xs)) >> reduce(add, 0))
    }
}

fn main() {}
