lift::lift! {
    fn kept<const N: usize>(xs: [i32; N]) -> ([i32; N], u32) {
        xs >> filter(|x| x & 1)
    }
}

fn main() {}
