lift::lift! {
    fn positive(x: f32) -> f32 {
        if x > 0 { x }
    }
}

fn main() {}
