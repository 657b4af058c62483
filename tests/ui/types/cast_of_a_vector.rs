lift::lift! {
    fn rounded<const N: usize>(a: [f32x4; N]) -> [i32x4; N] {
        a >> map(|v| v as i32)
    }
}

fn main() {}
