lift::lift! {
    fn count<const N: usize>(a: [f32; N]) -> i32 {
        reduce(|n, x| n + x, 0 as i32, a)
    }
}

fn main() {}
