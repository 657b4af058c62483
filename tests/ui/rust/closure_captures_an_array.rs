use lift::lift;

fn main() {
    let b = vec![1.0f32, 2.0];
    let _ = lift!(|a: [f32; N]| zip(a, b) >> map(mult) >> reduce(add, 0));
}
