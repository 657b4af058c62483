use lift::lift;

fn main() {
    let list = vec![1.0f32, 2.0];
    let _ = lift!(transpose(list));
}
