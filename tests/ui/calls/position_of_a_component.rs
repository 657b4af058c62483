lift::lift! {
    fn numbered<const N: usize>(a: [f32x4; N]) -> [f32x4; N] {
        a >> map(mapVec(|i => x| x + i as f32))
    }
}

fn main() {}
