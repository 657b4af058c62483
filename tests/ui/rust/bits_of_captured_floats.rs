fn main() {
    let (a, b) = ([1.0f32], [2.0f32]);
    let _ = lift::lift!(zip(a, b) >> map(bitXor));
}
