lift::lift! {
    fn numbered<const N: usize>(a: [[f32; N]; N]) -> [[f32; N]; N] {
        a >> map2(|i => x| x + i as f32)
    }
}

fn main() {}
