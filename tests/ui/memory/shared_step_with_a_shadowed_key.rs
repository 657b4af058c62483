lift::lift! {
    fn counts<const N: usize>(keys: [i32; N]) -> [i32; 16] {
        keys >> reduceGlb(|table, key| {
            let old = at(key, table);
            let key = key + 1;
            update(key, old + 1, table)
        }, repeat(16, 0))
    }
}

fn main() {}
