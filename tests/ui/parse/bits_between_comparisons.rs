lift::lift! {
    fn between<const N: usize>(a: [i32; N]) -> [bool; N] {
        map(|x| x > 0 & x < 9, a)
    }
}

fn main() {}
