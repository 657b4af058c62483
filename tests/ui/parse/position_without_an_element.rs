lift::lift! {
    fn numbers<const N: usize>(a: [f32; N]) -> [i32; N] {
        a >> map(|i =>| i as i32)
    }
}

fn main() {}
