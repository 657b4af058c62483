lift::lift! {
    fn first_true<const N: usize>(xs: [f32; N]) -> u32 {
        xs >> map(|x| x > 0) >> argmax
    }
}

fn main() {}
