lift::lift! {
    fn sums<const N: usize>(keys: [u8; N], xs: [f32; N]) -> [f32; 16] {
        reduceByKey(16, |sum, x| (sum + x, 1), 0, keys, xs)
    }
}

fn main() {}
