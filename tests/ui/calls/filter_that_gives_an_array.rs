lift::lift! {
    fn kept<const N: usize>(xs: [f32; N]) -> [f32; N] {
        xs >> filter(|x| x > 0)
    }
}

fn main() {}
