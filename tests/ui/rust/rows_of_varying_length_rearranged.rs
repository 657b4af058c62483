use lift::lift;

fn main() {
    let rows = vec![vec![1.0f32, 2.0], vec![3.0]];
    let _ = lift!(reverse(rows));
}
