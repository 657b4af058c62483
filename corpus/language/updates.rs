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

    // Rows.

    fn row_replaced<const N: usize, const M: usize>(i: i32, row: [f32; M], t: [[f32; M]; N]) -> [[f32; M]; N] {
        t >> update(i, row)
    }
    /// A row is computed from others, and from itself in another order.
    fn rows_moved<const N: usize, const M: usize, const K: usize>(moves: [(u32, u32); N], t: [[i32; M]; K]) -> [[i32; M]; K]
    where K >= 1 {
        moves >> reduceSeq(|t, (from, to)| update(to, at(from, t) >> reverse, t), t)
    }
    /// The same in private memory, where each work-item has a table.
    fn rows_moved_in_each<const B: usize, const N: usize>(moves: [[(u32, u32); N]; B]) -> [[[i32; 3]; 2]; B] {
        moves >> map(reduceSeq(
            |t, (from, to)| update(to, zip(at(from, t), at(to, t) >> reverse) >> map(|x, y| x * 2 + y), t),
            [[1, 2, 3], [4, 5, 6]]
        ))
    }
    /// Each number is computed from the one that it replaces, and those of a tuple from each other.
    fn rows_added<const N: usize, const M: usize>(keys: [i32; N], rows: [[i32; M]; N]) -> ([[i32; M]; 3], [i32; 3]) {
        zip(keys, rows) >> reduceSeq(|t, (key, row)| {
            let (sum, count) = at(key, t);
            update(key, (zip(sum, row) >> map(add), count + 1), t)
        }, repeat(3, (repeat(M, 0), 0))) >> unzip
    }
    fn rows_counted_in_them<const N: usize>(keys: [i32; N]) -> ([[i32; 2]; 3], [i32; 3]) {
        keys >> reduceSeq(|t, key| {
            let (pair, count) = at(key, t);
            update(key, (pair >> map(|x| x + count), count + head(pair) + 1), t)
        }, repeat(3, ([1, 2], 0))) >> unzip
    }
    /// Planes of a cube.
    fn planes_turned<const N: usize>(keys: [u8; N], cube: [[[i32; 3]; 3]; 4]) -> [[[i32; 3]; 3]; 4] {
        keys >> reduceSeq(|cube, key| update(key, at(key, cube) >> transpose >> map(reverse), cube), cube)
    }

    // A choice between updates is an update.

    fn even_keys_counted<const N: usize, const M: usize>(rows: [[i16; M]; N]) -> [[u32; 70]; N] {
        rows >> map(reduce(
            |table, key| if key % 2 == 0 { table >> update(key, at(key, table) + 1) } else { table },
            repeat(70, 0),
        ))
    }
    /// A reduction by key.
    fn even_keys_of_all<const N: usize>(keys: [u8; N]) -> [i32; 70] {
        keys >> reduce(|table, key| {
            if key % 2 == 0 { let half = key / 2; table >> update(half, at(half, table) + key as i32) } else { table }
        }, repeat(70, 3))
    }
    /// One of two entries, or a third one.
    fn one_of_three<const N: usize, const M: usize>(keys: [u64; N], start: [i64; M]) -> [i64; M] where M >= 2 {
        keys >> reduceSeq(|t, key| {
            if key < 100 {
                if key > 50 { t >> update(key - 50, 7) } else { let old = at(key, t); t >> update(key, old * 3 + 1) }
            } else {
                t >> update(0, at(0, t) + at(1, t))
            }
        }, start)
    }
    fn rows_taken<const N: usize, const M: usize, const K: usize>(keys: [i32; N], rows: [[f32; M]; N], start: [[f32; M]; K]) -> [[f32; M]; K] {
        zip(keys, rows) >> reduceSeq(|t, (key, row)| if key >= 3 { t >> update(key - 3, row) } else { t }, start)
    }
    fn rows_turned_or_raised<const N: usize, const M: usize>(keys: [i32; N], start: [[i32; M]; 5]) -> [[i32; M]; 5] {
        keys >> reduceSeq(|t, key| {
            if key > 0 { t >> update(key, at(key - 1, t) >> reverse) } else { t >> update(0, at(1, t) >> map(|x| x + key)) }
        }, start)
    }
    /// Until the first entry is large.
    fn taken_until<const N: usize, const M: usize>(most: i32, rows: [[i32; M]; N]) -> [[i32; 50]; N] {
        rows >> map(reduceWhile(
            |t, key| {
                let place = key % 50;
                let new = key + at(0, t);
                if key > 0 { (at(0, t) < most, t >> update(place, new)) } else { (key > -5, t) }
            },
            repeat(50, 0),
        ))
    }

    // Tables beside numbers.

    /// The number of the last occurrence of each key; multiples of 3 are left out.
    fn places_of_keys<const N: usize, const M: usize>(rows: [[u32; M]; N]) -> [[u32; 90]; N] {
        rows >> map(|row| {
            let (table, _) = row >> reduce(
                |(table, n), key| if key % 3 > 0 { (table >> update(key, n), n + 1) } else { (table, n) },
                (repeat(90, 0), 1),
            );
            table
        })
    }
    /// What the table held before, and a new entry that depends on the number before.
    fn replaced_and_summed<const N: usize>(keys: [u16; N]) -> ([i64; 40], i64, f64) {
        keys >> reduceSeq(
            |(table, sum, n), key| (table >> update(key, sum + 1), sum + at(key, table), n * 0.5 + (key as f64)),
            (generate(40, |i| i as i64), 0, 1.0),
        )
    }
    fn until_nine<const N: usize, const K: usize>(start: [i32; K], keys: [i64; N]) -> ([i32; K], i32) where K >= 1 {
        keys >> reduceWhile(|(table, n), key| {
            let seen = at(key, table);
            (n < 9 && seen < 3, (table >> update(key, seen + 1), n + (if seen == 0 { 1 } else { 0 })))
        }, (start, 0))
    }
    /// Two tables, each of its own and of the other one.
    fn two_tables<const N: usize>(keys: [u8; N]) -> ([i32; 50], [u32; 30], i16) {
        keys >> reduceSeq(|(a, b, n), key| {
            let (next, of_a, of_b) = (key + 1, at(key, a) + n as i32, at(key, b) * 2 + 1);
            (a >> update(key, of_a), b >> update(next, of_b), n + 1)
        }, (repeat(50, 0), repeat(30, 1), 0))
    }
    fn two_from_each_other<const N: usize>(keys: [u8; N]) -> ([u32; 50], [u32; 50]) {
        keys >> reduceSeq(
            |(a, b), key| {
                let (next, of_a, of_b) = (key + 1, at(key, b) + 1, at(key, a) * 2 + 1);
                (a >> update(key, of_a), b >> update(next, of_b))
            },
            (repeat(50, 0), repeat(50, 0)),
        )
    }

    // Accumulators of an array of any length and a number.

    fn sum_and_count<const N: usize, const M: usize>(rows: [[i32; M]; N]) -> ([i32; M], i32) {
        rows >> reduceSeq(|(sum, count), row| (zip(sum, row) >> map(add), count + 1), (repeat(M, 0), 0))
    }
    fn sums_and_counts<const B: usize, const N: usize, const M: usize>(rows: [[[i32; M]; N]; B]) -> ([[i32; M]; B], [i32; B]) {
        rows >> map(reduceSeq(|(sum, count), row| (zip(reverse(sum), row) >> map(add), count + 1), (repeat(M, 0), 0))) >> unzip
    }

    /// The tables of work-items in reverse, and as columns.
    fn counts_in_reverse<const N: usize, const M: usize, const K: usize>(rows: [[u8; M]; N], start: [i32; K]) -> [[i32; K]; N]
    where K >= 1 {
        rows >> map(reduceSeq(|h, key| update(key, at(key, h) + 1, h), start)) >> reverse
    }
    fn counts_as_columns<const N: usize, const M: usize, const K: usize>(rows: [[u8; M]; N], start: [i32; K]) -> [[i32; N]; K]
    where K >= 1 {
        rows >> map(reduceSeq(|h, key| update(key, at(key, h) + 1, h), start)) >> transpose
    }
}
