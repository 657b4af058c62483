lift::lift! {
    fn in_order<const N: usize>(xs: [f32; N]) -> [f32; N] {
        xs >> sortBy(|x, y| x < y)
    }
}

fn main() {}
