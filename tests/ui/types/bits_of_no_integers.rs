lift::lift! {
    fn masked<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| x & 3, a)
    }

    fn combined<const N: usize>(a: [u32; N], b: [bool; N]) -> [u32; N] {
        zip(a, b) >> map(|x, y| x | y)
    }

    fn cut<const N: usize>(a: [i32; N]) -> [i32; N] {
        slice(0, N & 6, a)
    }
}

fn main() {}
