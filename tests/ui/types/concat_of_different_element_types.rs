lift::lift! {
    fn all<const N: usize, const M: usize>(a: [f32; N], b: [i32; M]) -> [f32; N + M] {
        concat(a, b)
    }
}

fn main() {}
