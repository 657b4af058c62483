use lift::lift;

fn main() {
    let a = vec!["one", "two"];
    let _ = lift!(reverse(a));
}
