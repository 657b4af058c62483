lift::lift! {
    fn product(a: [f32; 3], b: [f32; 4]) -> f32 {
        dotProduct(a, b)
    }
}

fn main() {}
