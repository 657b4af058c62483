lift::lift! {
    fn sum<const N: usize>(a: [f32; N]) -> f32 {
        a >> reduce(0, |acc, x| acc + x)
    }

    fn padded<const N: usize>(a: [f32; N]) -> [f32; N + 2] {
        a >> pad(clamp, 1, 1)
    }
}

fn main() {}
