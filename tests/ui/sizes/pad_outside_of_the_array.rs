lift::lift! {
    fn shifted<const N: usize>(a: [f32; N]) -> [f32; N + 2] {
        pad(1, 1, |i, n| i + n, a)
    }
}

fn main() {}
