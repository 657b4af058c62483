lift::lift! {
    fn halves<const N: usize>(a: [i32; N]) -> [i32; N] {
        map(|x| x * 0.5, a)
    }
}

fn main() {}
