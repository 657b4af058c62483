lift::lift! {
    fn ninth(a: [f32; 8]) -> f32 {
        at(8, a)
    }
}

fn main() {}
