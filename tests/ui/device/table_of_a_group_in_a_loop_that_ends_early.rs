lift::lift! {
    fn counts<const N: usize>(rows: [[[i32; 64]; 8]; N]) -> [[[i32; 4]; 8]; N] {
        rows >> mapWrg0(mapLcl1(|row| {
            iterateWhile(3, |x| x < 3, |x| {
                let table = row >> reduceLcl(|table, key| update(key, at(key, table) + x, table), repeat(16, 1));
                at(0, table)
            }, 0) >> repeat(4) >> mapLcl0(toGlobal(id))
        }))
    }
}

fn main() {}
