lift::lift! {
    fn kept<const N: usize>(xs: [f32; N]) -> ([f32; N], u32) {
        xs >> filter(|i => x| i > 3)
    }
}

fn main() {}
