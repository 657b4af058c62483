lift::lift! {
    fn sum<const N: usize>(a: [f32; N]) -> f32 {
        a.sum::<f32>()
    }
}

fn main() {}
