lift::lift! {
    fn lengths<const N: usize>(a: [f32x3; N]) -> [f32; N] {
        map(|v| dot(v, v), a)
    }
}

fn main() {}
