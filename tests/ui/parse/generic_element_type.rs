lift::lift! {
    fn double<T, const N: usize>(a: [T; N]) -> [T; N] {
        map(|x| x + x, a)
    }
}

fn main() {}
