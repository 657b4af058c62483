use lift::lift;

fn main() {
    let a = vec![1.0f32; 8];
    let n = 2i32;
    let _ = lift!(a >> split(n));
}
