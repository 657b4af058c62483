lift::lift! {
    #[strict]
    fn axpy<const N: usize>(k: f32, x: [f32; N], y: [f32; N]) -> [f32; N] {
        zip(x, y) >> map(|(x, y)| mad(k, x, y))
    }
}

fn main() {}
