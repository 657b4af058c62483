lift::lift! {
    fn limited<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| x.clamp(0, 1), a)
    }
}

fn main() {}
