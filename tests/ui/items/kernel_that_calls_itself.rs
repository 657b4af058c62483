lift::lift! {
    fn again<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(|x| x + 1) >> again
    }
}

fn main() {}
