use lift::lift;

fn main() {
    let a = vec![1.0f32; 8];
    let _ = lift!(map(|x| x + a, a));
}
