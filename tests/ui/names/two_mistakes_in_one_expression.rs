use lift::lift;

fn main() {
    let (a, b) = ([1.0f32; 8], [2.0f32; 8]);
    let _ = lift!(zip(map(sqrtt, a), split(0, b)));
}
