lift::lift! {
    fn squares<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> map(mapVec(|x| x * x))
    }
}

fn main() {}
