lift::lift! {
    fn counts<const N: usize>(keys: [i32; N]) -> [i32; 16] {
        keys >> reduceGlb(|table, key| {
            if key > 3 { update(key, at(key, table) + 1, table) } else { update(key, max(at(key, table), 2), table) }
        }, repeat(16, 0))
    }
}

fn main() {}
