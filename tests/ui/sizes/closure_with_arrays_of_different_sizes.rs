use lift::lift;

fn main() {
    let _ = lift!(|a: [f32; N], b: [f32; M]| zip(a, b) >> map(add));
}
