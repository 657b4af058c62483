lift::lift! {
    fn flipped<const N: usize>(a: [u32; N]) -> [u32; N] {
        map(|x| !x, a)
    }
}

fn main() {}
