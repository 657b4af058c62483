lift::lift! {
    fn is_small(x: f32) -> f32 {
        x < 1
    }
}

fn main() {}
