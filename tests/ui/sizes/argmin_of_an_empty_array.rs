lift::lift! {
    fn least<const N: usize>(xs: [f32; N]) -> u32 {
        xs >> slice(0, 0) >> argmin
    }
}

fn main() {}
