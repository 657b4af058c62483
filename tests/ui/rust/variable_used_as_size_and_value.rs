use lift::lift;

fn main() {
    let a = vec![1.0f32; 8];
    let n = 2usize;
    let _ = lift!(a >> split(n) >> map(map(|x| x * n)));
}
