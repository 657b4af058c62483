lift::lift! {
    fn flags<const N: usize>(a: [i32; N]) -> [i32; N] {
        map(|x| if x { 1 } else { 0 }, a)
    }
}

fn main() {}
