lift::lift! {
    fn limited<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| clamp(x, 0, 1), a)
    }
}

fn main() {}
