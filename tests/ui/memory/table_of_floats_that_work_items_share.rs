lift::lift! {
    fn sums<const N: usize>(keys: [u8; N]) -> [f32; 16] {
        keys >> reduceGlb(|table, key| update(key, at(key, table) + 1, table), repeat(16, 0))
    }
}

fn main() {}
