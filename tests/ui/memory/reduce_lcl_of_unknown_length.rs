lift::lift! {
    fn counts<const N: usize, const K: usize>(keys: [[u8; K]; N]) -> [[i32; K]; N] {
        keys >> mapWrg0(|row| row
            >> reduceLcl(|table, key| update(key, at(key, table) + 1, table), repeat(K, 0))
            >> mapLcl0(toGlobal(id)))
    }
}

fn main() {}
