use lift::lift;

lift! {
    fn scale<const N: usize>(a: [f32x4; N]) -> [f32x4; N] {
        a >> map(|v| v * 2)
    }
}

fn main() {
    let scalars = vec![1.0f32, 2.0, 3.0, 4.0];
    let _ = scale(&scalars);
}
