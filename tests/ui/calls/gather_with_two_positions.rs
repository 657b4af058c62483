lift::lift! {
    fn turned<const N: usize>(a: [f32; N]) -> [f32; N] {
        gather(|i, n| n - 1 - i, a)
    }
}

fn main() {}
