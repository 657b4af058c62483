lift::lift! {
    fn backwards<const N: usize>(a: [f32; N]) -> [f32; N] {
        scatter(|i, n| n - 1 - i, a)
    }
}

fn main() {}
