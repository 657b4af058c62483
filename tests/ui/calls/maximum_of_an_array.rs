lift::lift! {
    fn largest<const N: usize>(a: [f32; N]) -> f32 {
        a >> max
    }
}

fn main() {}
