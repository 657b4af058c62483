lift::lift! {
    #[strict]
    fn axpy(k: f32, x: f32, y: f32) -> f32 {
        k * x + y
    }

    #[strict(f32)]
    fn axpys<const N: usize>(k: f32, x: [f32; N], y: [f32; N]) -> [f32; N] {
        zip(x, y) >> map(|(x, y)| axpy(k, x, y))
    }
}

fn main() {}
