lift::lift! {
    fn sums<const N: usize>(a: [f32; N], a: [f32; N]) -> [f32; N] {
        zip(a, a) >> map(add)
    }
}

fn main() {}
