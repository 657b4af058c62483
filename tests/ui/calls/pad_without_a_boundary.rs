lift::lift! {
    fn padded<const N: usize>(a: [f32; N]) -> [f32; N + 2] {
        pad(1, 1, a)
    }
}

fn main() {}
