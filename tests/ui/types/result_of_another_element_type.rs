lift::lift! {
    fn double<const N: usize>(a: [f32; N]) -> [i32; N] {
        map(|x| x * 2, a)
    }
}

fn main() {}
