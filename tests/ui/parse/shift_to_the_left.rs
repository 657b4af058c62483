lift::lift! {
    fn rotated(x: u32, k: u32) -> u32 {
        x << 3 | x << k
    }
}

fn main() {}
