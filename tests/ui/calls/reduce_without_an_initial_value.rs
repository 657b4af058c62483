lift::lift! {
    fn sum<const N: usize>(a: [f32; N]) -> f32 {
        a >> reduce(add)
    }
}

fn main() {}
