lift::lift! {
    fn in_order<const N: usize>(xs: [f32; N]) -> [f32; N] {
        xs >> sortBy(|x| if x > 0 { 1 } else { 0 })
    }
}

fn main() {}
