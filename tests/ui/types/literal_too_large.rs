lift::lift! {
    fn large<const N: usize>(a: [u8; N]) -> [u8; N] {
        map(|x| x + 256, a)
    }
}

fn main() {}
