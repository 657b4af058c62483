lift::lift! {
    fn sum<const N: usize>(weights: [f32; N]) -> f32 {
        reduce(add, 0, wieghts)
    }
}

fn main() {}
