lift::lift! {
    fn sums<const N: usize>(keys: [i32; N]) -> [(i32, i32); 16] {
        keys >> reduceGlb(|table, key| {
            let (count, sum) = at(key, table);
            update(key, (count + 1, sum + count), table)
        }, repeat(16, (0, 0)))
    }
}

fn main() {}
