lift::lift! {
    fn first<const N: usize>(points: [(f32, f32); N]) -> [f32; N] {
        map(|p| p.x, points)
    }
}

fn main() {}
