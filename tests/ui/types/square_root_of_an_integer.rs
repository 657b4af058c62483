lift::lift! {
    fn roots<const N: usize>(a: [i32; N]) -> [i32; N] {
        map(sqrt, a)
    }
}

fn main() {}
