use lift::lift;

fn main() {
    let indices: Vec<usize> = (0..10).collect();
    let _ = lift!(map(|x| x + 1, indices));
}
