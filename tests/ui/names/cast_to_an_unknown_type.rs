lift::lift! {
    fn ints<const N: usize>(a: [f32; N]) -> [i32; N] {
        map(|x| x as int, a)
    }
}

fn main() {}
