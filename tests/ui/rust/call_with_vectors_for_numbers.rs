lift::lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| 2 * x, a)
    }
}

fn main() {
    let rows = vec![vec![1.0f32, 2.0], vec![3.0, 4.0]];
    let _ = doubled(&rows);
}
