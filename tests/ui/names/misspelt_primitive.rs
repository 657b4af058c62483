lift::lift! {
    fn sum<const N: usize>(a: [f32; N]) -> f32 {
        redcue(add, 0, a)
    }
}

fn main() {}
