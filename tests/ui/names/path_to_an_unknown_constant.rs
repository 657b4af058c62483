lift::lift! {
    fn largest<const N: usize>(a: [f32; N]) -> f32 {
        reduce(max, f32::MINIMUM, map(|x| x * std::f32::consts::PIE, a))
    }
}

fn main() {}
