lift::lift! {
    fn doubled<const N: usize>(a: [u32; N]) -> [u32; N] {
        map(|x| { x <<= 1; x }, a)
    }
}

fn main() {}
