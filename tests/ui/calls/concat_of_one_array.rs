lift::lift! {
    fn all<const N: usize>(a: [f32; N]) -> [f32; N] {
        concat(a)
    }
}

fn main() {}
