lift::lift! {
    fn lengths<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> asVector(3) >> map(|v| v * v) >> asScalar
    }
}

fn main() {}
