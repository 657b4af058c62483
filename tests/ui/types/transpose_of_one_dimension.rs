lift::lift! {
    fn turned<const N: usize>(a: [f32; N]) -> [f32; N] {
        transpose(a)
    }
}

fn main() {}
