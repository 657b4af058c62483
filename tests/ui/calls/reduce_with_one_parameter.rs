lift::lift! {
    fn sum<const N: usize>(a: [f32; N]) -> f32 {
        reduce(|x| x, 0, a)
    }
}

fn main() {}
