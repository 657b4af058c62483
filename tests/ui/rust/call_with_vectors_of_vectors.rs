lift::lift! {
    fn turned<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; N]; M] {
        transpose(a)
    }
}

fn main() {
    let rows = vec![vec![1.0f32, 2.0], vec![3.0, 4.0]];
    let _ = turned(&rows);
}
