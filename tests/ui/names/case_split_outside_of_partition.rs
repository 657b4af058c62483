fn main() {
    let a = [1.0f32; 7];
    let _ = lift::lift!(a >> gather(caseSplit(1, 5, 1)));
}
