lift::lift! {
    fn scaled<const N: usize>(a: [f32x4; N], s: i32) -> [f32x4; N] {
        a >> map(|v| v * s)
    }
}

fn main() {}
