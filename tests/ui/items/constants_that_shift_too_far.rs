//! Rust would not compile these constants either.

lift::lift! {
    const WIDTH: u8 = 8;
    const TOO_FAR: u8 = 1 << WIDTH;
    const BEHIND_A_CONVERSION: u8 = 1 << 300;
    const BACKWARDS: i32 = 1 >> -1;
    const SIZE: usize = 1 << 64;
    const LARGE: usize = 1 << 63;
    const FLOAT: f32 = 1.5 << 1;

    fn windows<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> slide(1, SIZE) >> join
    }
}

fn main() {}
