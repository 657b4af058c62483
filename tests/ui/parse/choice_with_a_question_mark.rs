lift::lift! {
    fn positive<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| x > 0 ? x : 0, a)
    }
}

fn main() {}
