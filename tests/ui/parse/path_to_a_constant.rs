lift::lift! {
    fn largest<const N: usize>(a: [f32; N]) -> f32 {
        reduce(max, f32::MIN, a)
    }
}

fn main() {}
