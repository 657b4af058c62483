lift::lift! {
    fn sum<const N: usize>(a: [f32; N]) -> f32 {
        reduce(add, a)
    }
}

fn main() {}
