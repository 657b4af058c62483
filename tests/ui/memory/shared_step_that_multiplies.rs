lift::lift! {
    fn powers<const N: usize>(keys: [i32; N]) -> [i32; 16] {
        keys >> reduceGlb(|table, key| update(key, 2 * at(key, table), table), repeat(16, 1))
    }
}

fn main() {}
