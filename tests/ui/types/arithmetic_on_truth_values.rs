lift::lift! {
    fn both<const N: usize>(a: [bool; N], b: [bool; N]) -> [bool; N] {
        zip(a, b) >> map(|x, y| x + y)
    }
}

fn main() {}
