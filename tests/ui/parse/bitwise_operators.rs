lift::lift! {
    fn rotated(x: u32) -> u32 {
        x << 3 | x / 536870912
    }

    fn mixed<const N: usize>(a: [u32; N], b: [u32; N]) -> [u32; N] {
        zip(a, b) >> map(|x, y| rotated(x ^ y) & 255)
    }

    fn between<const N: usize>(a: [f32; N]) -> [bool; N] {
        a >> map(|x| x > 0 & x < 1)
    }
}

fn main() {}
