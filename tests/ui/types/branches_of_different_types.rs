lift::lift! {
    fn signs<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| if x < 0 { true } else { x }, a)
    }
}

fn main() {}
