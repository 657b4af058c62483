lift::lift! {
    fn lengths<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> asVector(4) >> map(|v| v.0)
    }
}

fn main() {}
