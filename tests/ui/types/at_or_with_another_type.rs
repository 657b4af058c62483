lift::lift! {
    fn third<const N: usize>(a: [f32; N]) -> f32 {
        atOr(2, true, a)
    }
}

fn main() {}
