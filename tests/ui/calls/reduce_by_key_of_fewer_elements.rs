lift::lift! {
    fn sums<const N: usize>(keys: [u8; N], xs: [f32; 100]) -> [f32; 16] {
        reduceByKey(16, add, 0, keys, xs)
    }
}

fn main() {}
