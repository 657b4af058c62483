use lift::lift;

fn main() {
    let a = [1i32, 2, 3];
    let factor = 2.0f32;
    let _ = lift!(map(|x: i32| x * factor, a));
}
