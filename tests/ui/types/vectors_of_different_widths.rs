lift::lift! {
    fn sums<const N: usize>(a: [f32x4; N], b: [f32x2; N]) -> [f32x4; N] {
        zip(a, b) >> map(|(v, w)| v + w)
    }
}

fn main() {}
