lift::lift! {
    fn squares<const N: usize>(a: [f32; N]) -> [f32; N] {
        map(|x| x ** 2, a)
    }
}

fn main() {}
