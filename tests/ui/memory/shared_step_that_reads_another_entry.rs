lift::lift! {
    fn sums<const N: usize>(keys: [i32; N]) -> [i32; 16] {
        keys >> reduceGlb(|table, key| update(key, at(key, table) + at(key + 1, table), table), repeat(16, 0))
    }
}

fn main() {}
