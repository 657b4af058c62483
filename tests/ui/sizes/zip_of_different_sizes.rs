lift::lift! {
    fn sum<const N: usize, const M: usize>(a: [f32; N], b: [f32; M]) -> [f32; N] {
        zip(a, b) >> map(add)
    }
}

fn main() {}
