lift::lift! {
    fn energy<const N: usize>(a: [f32; N]) -> f32 {
        a.iter().map(|x| x * x).sum()
    }
}

fn main() {}
