lift::lift! {
    fn reversed<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; K]) -> [f32; N] {
        segments(offsets, xs) >> reverse >> map(reduce(add, 0))
    }
}

fn main() {}
