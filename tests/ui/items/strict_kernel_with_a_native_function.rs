lift::lift! {
    fn norm(x: f32, y: f32) -> f32 {
        native_sqrt(x * x + y * y)
    }

    #[strict]
    fn norms<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; N] {
        zip(x, y) >> map(norm)
    }
}

fn main() {}
