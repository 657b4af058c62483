lift::lift! {
    fn rests<const N: usize>(a: [i32; N], b: [u8; N]) -> [i32; N] {
        zip(a, b) >> map(|x, y| x % y)
    }
}

fn main() {}
