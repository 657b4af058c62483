lift::lift! {
    fn sums<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b) >> map(|(x, y, z)| x + y + z)
    }
}

fn main() {}
