lift::lift! {
    fn counts<const N: usize>(keys: [u8; N]) -> [i32; 256] {
        keys >> reduceLcl(|table, key| update(key, at(key, table) + 1, table), repeat(256, 0))
    }
}

fn main() {}
