lift::lift! {
    fn scaled<const N: usize>(m: size, a: [f32; N]) -> [f32; N] {
        map(|x| x * m, a)
    }
}

fn main() {}
