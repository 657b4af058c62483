use lift::lift;

lift! {
    fn dot<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
        zip(a, b) >> map(mult) >> reduce(add, 0)
    }

    fn doubled(a: [f32; 3]) -> [f32; 3] {
        map(|x| 2 * x, a)
    }
}

fn main() {
    let once = doubled(&[1.0, 2.0, 3.0]);
    let _ = dot(&once, &[1.0, 2.0, 3.0]);
}
