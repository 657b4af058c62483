lift::lift! {
    fn counts<const N: usize>(keys: [[u8; 64]; N]) -> [[i32; 16]; N] {
        keys >> mapWrg0(|row| row
            >> reduceGlb(|table, key| update(key, at(key, table) + 1, table), repeat(16, 0))
            >> mapLcl0(toGlobal(id)))
    }
}

fn main() {}
