lift::lift! {
    fn numbered<const N: usize>(a: [f32; N]) -> [f32; N] {
        let number = |i => x| x + i as f32;
        a >> map(|x| number(x))
    }
}

fn main() {}
