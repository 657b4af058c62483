use lift::lift;

fn main() {
    let map = vec![1.0f32, 2.0];
    let _ = lift!(reduce(add, 0, map));
}
