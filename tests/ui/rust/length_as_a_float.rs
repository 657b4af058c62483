use lift::lift;

fn main() {
    let a = vec![1.0f32, 2.0];
    let _ = lift!(map(|x| x / len(a), a));
}
