lift::lift! {
    fn doubled<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| shl(x, 1), a)
    }

    fn different<const N: usize>(a: [u64; N], k: u32) -> [u64; N] {
        map(|x| rotl(x, k), a)
    }

    fn bits<const N: usize>(a: [i32; N]) -> [u32; N] {
        map(toBits, a)
    }

    fn float<const N: usize>(a: [i32; N]) -> [f32; N] {
        map(fromBits, a)
    }

    fn counted<const N: usize>(a: [bool; N]) -> [i32; N] {
        map(popcount, a)
    }
}

fn main() {}
