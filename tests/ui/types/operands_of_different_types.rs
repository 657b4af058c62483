lift::lift! {
    fn scale<const N: usize>(a: [f32; N], b: [i32; N]) -> [f32; N] {
        zip(a, b) >> map(|x, y| x * y)
    }
}

fn main() {}
