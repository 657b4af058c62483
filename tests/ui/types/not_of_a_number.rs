lift::lift! {
    fn flipped<const N: usize>(a: [i32; N]) -> [bool; N] {
        map(|x| !x, a)
    }
}

fn main() {}
