use lift::lift;

lift! {
    fn dot<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
        zip(a, b) >> map(mult) >> reduce(add, 0)
    }

    fn transform<const N: usize>(m: [[f32; 3]; 3], a: [[f32; 3]; N]) -> [[f32; 3]; N] {
        a >> map(|v| m >> map(|row| zip(row, v) >> map(mult) >> reduce(add, 0)))
    }
}

fn main() {
    let _ = dot([1.0, 2.0], &[1.0, 2.0]);
}
