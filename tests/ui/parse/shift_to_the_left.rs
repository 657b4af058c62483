lift::lift! {
    fn rotated<const N: usize>(a: [u32; N], k: u32) -> [u32; N] {
        map(|x| x << 3 | x << k, a)
    }
}

fn main() {}
