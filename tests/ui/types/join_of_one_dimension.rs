lift::lift! {
    fn flat<const N: usize>(a: [f32; N]) -> [f32; N] {
        join(a)
    }
}

fn main() {}
