use lift::lift;

fn main() {
    let a = [1.0f32, 2.0, 3.0];
    let b = [1.0f32, 2.0];
    let _ = lift!(a >> map(|x| b >> mapLcl0(|y| y + x) >> map(|y| y * 2)));
}
