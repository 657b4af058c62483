fn main() {
    let _ = lift::lift!(|a: [f32; 7]| a >> partition(3, |i| i + 1) >> join);
}
