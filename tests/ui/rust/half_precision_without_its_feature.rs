lift::lift! {
    fn halves<const N: usize>(a: [f16; N], b: f32) -> [f16; N] {
        a >> map(|x| x * (b as f16))
    }
}

fn main() {
    let a = [1.0f32];
    let _ = lift::lift!(map(|x| x as f16x4, a));
}
