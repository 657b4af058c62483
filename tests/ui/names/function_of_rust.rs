use lift::lift;

fn double(x: f32) -> f32 {
    2.0 * x
}

fn main() {
    let a = vec![1.0f32, 2.0];
    println!("{}", double(1.0));
    let _ = lift!(map(double, a));
}
