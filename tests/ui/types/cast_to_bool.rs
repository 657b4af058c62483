lift::lift! {
    fn truths<const N: usize>(a: [i32; N]) -> [bool; N] {
        map(|x| x as bool, a)
    }
}

fn main() {}
