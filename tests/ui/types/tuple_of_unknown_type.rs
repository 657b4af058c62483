fn main() {
    let points = vec![(1.0f32, 2.0f32)];
    let _ = lift::lift!(map(|p| p.0 + p.1, points));
}
