lift::lift! {
    fn between<const N: usize>(a: [i32; N]) -> [bool; N] {
        map(|x| x > 0 & x < 9, a)
    }

    fn outside(x: i32, y: i32) -> bool {
        x < 0 | x > 9 && x < y ^ y == 3
    }
}

fn main() {}
