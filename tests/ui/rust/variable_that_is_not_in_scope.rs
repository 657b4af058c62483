use lift::lift;

fn main() {
    let _ = lift!(reduce(add, 0, a));
}
