fn main() {
    let rows = (vec![1.0f32], 2.0f32);
    let _ = lift::lift!(|a: [f32; N]| { let (row, x) = rows; zip(row, a) >> map(|(r, y)| r * y + x) });
}
