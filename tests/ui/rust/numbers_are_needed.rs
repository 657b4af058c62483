use lift::lift;

fn main() {
    let a = vec![true, false];
    let _ = lift!(map(|x| x + x, a));
}
