lift::lift! {
    fn high<const N: usize>(a: [u32; N]) -> [u32; N] {
        map(|x| x >> 16, a)
    }

    fn shifted<const N: usize>(a: [u32; N], bits: u32) -> [u32; N] {
        map(|word| word >> bits, a)
    }

    fn mixed<const N: usize>(a: [u32; N], y: u32) -> [u32; N] {
        map(|x| (x + y) >> y & 7, a)
    }
}

fn main() {}
