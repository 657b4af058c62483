lift::lift! {
    fn less<const N: usize>(a: [u8; N]) -> [u8; N] {
        map(|x| x + -1, a)
    }
}

fn main() {}
