lift::lift! {
    fn ints<const N: usize>(a: [f32; N]) -> [i32; N] {
        a as i32
    }
}

fn main() {}
