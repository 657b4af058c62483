use lift::lift;

fn main() {
    let (a, b) = ([1.0f32, 2.0], [1.0f32, 2.0, 3.0]);
    let _ = lift!(zip(a, b) >> map(mult) >> reduce(add, 0));
}
