lift::lift! {}

fn main() {
    let _ = lift::lift!();
}
