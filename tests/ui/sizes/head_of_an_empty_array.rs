lift::lift! {
    fn first(a: [f32; 0]) -> f32 {
        head(a)
    }
}

fn main() {}
