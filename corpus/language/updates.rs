// `update`: one element replaced, of arrays and of accumulators of every length and kind.

lift! {
    fn replaced<const N: usize>(i: i64, x: f32, xs: [f32; N]) -> [f32; N] { xs >> update(i, x) }
    fn cleared<const N: usize>(i: u64, xs: [i16; N]) -> [i16; N] { xs >> map(|x| x * 2) >> update(i, 0) }
    /// The element that one array asks for, in each row of another one.
    fn marked<const N: usize, const M: usize>(marks: [i8; N], xs: [[i32; M]; N]) -> [[i32; M]; N] {
        zip(marks, xs) >> map(|mark, row| update(mark, -1, row))
    }

    /// In registers, in private memory, in global memory, whole arrays and rows.
    fn counts_of_few<const N: usize, const M: usize>(rows: [[u8; M]; N]) -> [[i32; 4]; N] {
        rows >> map(reduceSeq(|h, key| update(key, at(key, h) + 1, h), repeat(4, 0)))
    }
    fn counts_of_bytes<const N: usize, const M: usize>(rows: [[u8; M]; N]) -> [[i32; 256]; N] {
        rows >> map(reduceSeq(|h, key| update(key, at(key, h) + 1, h), repeat(256, 0)))
    }
    fn counts_of_any<const N: usize, const M: usize>(bins: usize, rows: [[i32; M]; N]) -> [[u32; bins]; N] where bins >= 1 {
        rows >> map(reduceSeq(|h, key| update(key, at(key, h) + 1, h), repeat(bins, 0)))
    }
    fn counts_of_all<const N: usize>(bins: usize, keys: [i64; N]) -> [u32; bins] where bins >= 1 {
        keys >> reduceSeq(|h, key| update(key, at(key, h) + 1, h), repeat(bins, 0))
    }
    /// Pieces of an array are counted side by side, and then added.
    fn counts_in_pieces<const N: usize>(keys: [u16; N]) -> [i32; 100] {
        keys >> chunks(64)
            >> map(reduceSeq(|h, key| update(key, at(key, h) + 1, h), repeat(100, 0)))
            >> transpose >> map(reduce(add, 0))
    }
    /// Sums and counts of all keys: an element is a tuple, and a step reads others than the one that it writes.
    fn sums_by_key<const N: usize>(keys: [i32; N], xs: [f32; N]) -> [(f32, i32); 20] {
        zip(keys, xs) >> reduceSeq(|acc, (key, x)| {
            let (sum, count) = at(key, acc);
            update(key, (sum + x, count + 1 + 0 * at(0, acc).1), acc)
        }, repeat(20, (0.0, 0)))
    }
    /// The components of an element change places.
    fn exchanged<const N: usize>(keys: [i32; N]) -> [(i32, i32); 12] {
        keys >> reduceSeq(|acc, key| {
            let (a, b) = at(key, acc);
            update(key, (b, a + key), acc)
        }, repeat(12, (1, 2)))
    }
}
