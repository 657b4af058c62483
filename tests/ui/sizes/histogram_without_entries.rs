lift::lift! {
    fn counts<const N: usize>(keys: [u8; N]) -> [i32; 0] {
        histogram(0, keys)
    }
}

fn main() {}
