lift::lift! {
    fn counts<const N: usize, const M: usize>(keys: [[u8; M]; N]) -> [[i32; 16]; N] {
        keys >> map(reduceGlb(|table, key| update(key, at(key, table) + 1, table), repeat(16, 0)))
    }
}

fn main() {}
