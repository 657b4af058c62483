lift::lift! {
    fn inside(x: f32) -> bool {
        0 < x < 1
    }
}

fn main() {}
