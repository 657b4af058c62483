lift::lift! {
    fn scaled<const N: usize>(x: f32, a: [f32; N]) -> [f32; N] {
        zip(a, x) >> map(mult)
    }
}

fn main() {}
