lift::lift! {
    fn sums<const N: usize, const K: usize>(offsets: [u32; N + 1], points: [[f32; 3]; K]) -> [[f32; 3]; N] where K >= 1 {
        reduceSegments(|sum, point| zip(sum, point) >> map(add), repeat(3, 0), offsets, points)
    }
}

fn main() {}
