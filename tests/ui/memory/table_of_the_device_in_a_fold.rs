lift::lift! {
    fn counts<const N: usize, const M: usize>(keys: [[u8; M]; N]) -> [i32; 16] {
        keys >> reduceSeq(|table, row| row
            >> reduceGlb(|table, key| update(key, at(key, table) + 1, table), table), repeat(16, 0))
    }
}

fn main() {}
