lift::lift! {
    fn counts<const N: usize>(keys: [[[u8; 64]; 8]; N]) -> [[[i32; 16]; 8]; N] {
        keys >> mapWrg0(mapLcl0(|row| row
            >> reduceLcl(|table, key| update(key, at(key, table) + 1, table), repeat(16, 0))
            >> toGlobal(mapSeq(id))))
    }
}

fn main() {}
