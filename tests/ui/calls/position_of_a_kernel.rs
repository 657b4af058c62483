fn main() {
    let _ = lift::lift!(|i => a: [f32; N]| a >> map(|x| x + i as f32));
}
