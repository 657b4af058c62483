// `reduceWhile` whose accumulator is an array: in registers, in each memory, updated, and shared by a group.

lift! {
    /// Rows are added until the first sum is large.
    fn added<const N: usize>(most: i32, rows: [[i32; 4]; N]) -> [i32; 4] {
        rows >> reduceWhile(|acc, row| (at(0, acc) < most, zip(acc, row) >> map(|a, b| a + b)), repeat(4, 0))
    }
    /// The last five numbers before a negative one; a step reads other elements than it writes.
    fn last_ones<const N: usize, const M: usize>(rows: [[i16; M]; N]) -> [[i16; 5]; N] {
        rows >> map(reduceWhile(|acc, x| (x >= 0, acc >> gather(rotate(1)) >> update(4, x)), repeat(5, 0)))
    }
    /// Choices and names around the pair of a step.
    fn with_choices<const N: usize, const M: usize>(rows: [[i32; M]; N]) -> [[i32; 3]; N] {
        rows >> map(reduceWhile(|acc, x| {
            let twice = 2 * x;
            if twice < 0 { (false, acc) } else { (twice != 14, acc >> map(|k => a| a + twice * (k as i32 + 1))) }
        }, repeat(3, 1)))
    }
    /// An array beside a number.
    fn sums_and_count<const N: usize>(rows: [[f32; 3]; N]) -> ([f32; 3], i32) {
        rows >> reduceWhile(
            |(sums, n), row| (n < 4, (zip(sums, row) >> map(|a, b| a + b), n + 1)),
            (repeat(3, 0.0), 0),
        )
    }
    /// Each step replaces one entry of a table, until that entry is full.
    fn counts_until_full<const N: usize, const M: usize>(full: i32, rows: [[u8; M]; N]) -> [[i32; 100]; N] {
        rows >> map(reduceWhile(
            |table, key| (at(key, table) < full, update(key, at(key, table) + 1, table)),
            repeat(100, 0),
        ))
    }
    fn counts_of_any<const N: usize>(bins: usize, full: u32, keys: [i64; N]) -> [u32; bins] where bins >= 1 {
        keys >> reduceWhile(
            |table, key| (at(key, table) < full, update(key, at(key, table) + 1, table)),
            repeat(bins, 0),
        )
    }
    /// A vector times a matrix until it is long: arrays of any length, in global memory.
    fn powers<const N: usize>(limit: i64, m: [[i64; N]; N], v: [i64; N]) -> [i64; N] where N >= 1 {
        repeat(5, 0i32) >> reduceWhile(
            |v, _| (at(0, v) < limit, m >> map(|row| zip(row, v) >> map(|x, y| x * y) >> reduceSeq(add, 0))),
            v,
        )
    }
    /// As many steps as a number says.
    fn doubled<const N: usize>(counts: [i64; N]) -> [[u32; 6]; N] {
        counts >> map(|count| repeat(9, 0i32) >> reduceWhile(
            |k => acc, _| (k as i64 < count, acc >> reverse >> map(|i => x| x + x + i as u32)),
            repeat(6, 1),
        ))
    }
    /// The work-items of a group add up tiles, as many as data says; each reads what another one stored.
    fn tiles_of_groups<const N: usize>(counts: [i64; N], xs: [[i32; 128]; N]) -> [[i32; 16]; N] {
        zip(counts, xs) >> mapWrg0(|count, row| repeat(8, 0i32) >> reduceWhile(
            |t => acc, _| (t as i64 < count, {
                let tile = generate(16, |k| at(16 * t + k, row)) >> toLocal(mapLcl0(id));
                zip(acc, tile >> reverse) >> mapLcl0(add)
            }),
            repeat(16, 0),
        ) >> mapLcl0(toGlobal(id)))
    }
    /// The same, until an element of a tile is negative, for a last group that is shorter.
    fn tiles_until<const N: usize>(xs: [[i32; N]; 6]) -> [i32; N] {
        xs >> map(chunks(20)) >> transpose >> mapWrg0(|tiles| tiles >> reduceWhile(
            |acc, tile| (at(0, tile) >= 0, {
                let stored = tile >> toLocal(mapLcl0(id));
                zip(acc, stored >> reverse) >> mapLcl0(add)
            }),
            repeat(len(at(0, tiles)), 0),
        ) >> mapLcl0(toGlobal(id))) >> join
    }
}
