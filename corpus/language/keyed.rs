// `reduceByKey` and `histogram`: tables of every length and kind, divided and in order.

lift! {
    fn counts_of_bytes<const N: usize>(keys: [u8; N]) -> [u32; 256] { histogram(256, keys) }
    fn counts_of_any<const N: usize>(bins: usize, keys: [i64; N]) -> [i32; bins] where bins >= 1 {
        keys >> histogram(bins)
    }
    /// Another kernel reads the table.
    fn shares<const N: usize>(xs: [f32; N]) -> [f32; 10] {
        histogram(10, map(|x| (x * 10.0) as i32, xs)) >> map(|count| count as f32 / N as f32)
    }
    fn counts_of_rows<const N: usize, const M: usize>(rows: [[u16; M]; N]) -> [[i64; 12]; N] {
        rows >> map(histogram(12))
    }

    fn sums<const N: usize>(keys: [i32; N], xs: [f64; N]) -> [f64; 16] { reduceByKey(16, add, 0.5, keys, xs) }
    /// There is no greatest number to start from.
    fn greatest<const N: usize>(bins: usize, keys: [i16; N], xs: [i16; N]) -> [i16; bins] where bins >= 1 {
        xs >> reduceByKey(bins, max, -7, keys)
    }
    fn least<const N: usize>(keys: [u32; N], xs: [f32; N]) -> [f32; 9] { reduceByKey(9, min, 2.5, keys, xs) }
    fn parities<const N: usize>(keys: [u64; N], xs: [u32; N]) -> [u32; 33] {
        reduceByKey(33, |parity, x| parity ^ x, 5, keys, xs)
    }
    fn products<const N: usize>(keys: [i8; N], xs: [u64; N]) -> [u64; 3] { reduceByKey(3, mult, 1, keys, xs) }
    fn all_hold<const N: usize>(keys: [i32; N], xs: [i32; N]) -> [bool; 20] {
        reduceByKey(20, |all, x| all && x < 90, true, keys, xs)
    }
    /// Of all elements with a key, the numbers are added, and the squares.
    fn moments<const N: usize>(keys: [i32; N], xs: [f32; N]) -> [(f32, f32, u32); 25] {
        reduceByKey(25, |(sum, squares, count), x| (sum + x, squares + x * x, count + 1), (0, 0, 0), keys, xs)
    }
    /// The order of the elements matters.
    fn digits<const N: usize>(keys: [i32; N], xs: [i32; N]) -> [i32; 8] {
        reduceByKey(8, |number, digit| number * 10 + digit, 1, keys, xs)
    }
    /// Several kinds of keys in one pass, and tables that one function makes.
    fn two_tables<const N: usize>(keys: [i32; N], xs: [i32; N]) -> ([i32; 5], [i32; 7]) {
        tuple(reduceByKey(5, add, 0, keys, xs), histogram(7, map(|x| x % 7, xs)))
    }
    /// A table that is continued.
    fn continued<const N: usize, const M: usize>(table: [i32; M], keys: [i32; N]) -> [i32; M] where M >= 1 {
        keys >> reduce(|table, key| update(key, at(key, table) + 1, table), map(|x| 2 * x, table))
    }

    /// The last of each key, which any grouping finds.
    #[assoc]
    fn later(a: i32, b: i32) -> i32 { if b >= 0 { b } else { a } }
    fn last_of_key<const N: usize>(keys: [i32; N], xs: [i32; N]) -> [i32; 6] {
        reduceByKey(6, later, -1, keys, xs)
    }

    /// k-means on a line, as often as asked: the nearest centre of each point, and the mean of the points of
    /// each centre. A centre without points stays.
    fn nearest(x: f32, a: f32, b: f32, c: f32) -> i32 {
        if abs(x - a) <= abs(x - b) && abs(x - a) <= abs(x - c) { 0 } else { if abs(x - b) <= abs(x - c) { 1 } else { 2 } }
    }
    fn centres<const N: usize>(rounds: usize, points: [f32; N], start: [f32; 3]) -> [f32; 3] {
        start >> iterate(rounds, |centres| {
            let nearests = points >> map(|x| nearest(x, at(0, centres), at(1, centres), at(2, centres)));
            let totals = reduceByKey(3, |(sum, count), x| (sum + x, count + 1), (0.0, 0), nearests, points);
            zip(totals, centres) >> map(|((sum, count), old)| if count == 0 { old } else { sum / (count as f32) })
        })
    }

    // Entries that are arrays, or hold them.

    fn sums_of_points<const N: usize, const F: usize, const K: usize>(keys: [u32; N], points: [[i32; F]; N], z: [[i32; F]; K]) -> [[i32; F]; K]
    where K >= 1 {
        zip(reduceByKey(K, |sum, point| zip(sum, point) >> map(add), repeat(F, 0), keys, points), z) >> map(|x, y| zip(x, y) >> map(add))
    }
    fn means_of_points<const N: usize, const F: usize>(keys: [i32; N], points: [[f64; F]; N]) -> [[f64; F]; 5] {
        reduceByKey(5, |(sum, n), point| (zip(sum, point) >> map(add), n + 1), (repeat(F, 0.0), 0u32), keys, points)
            >> map(|(sum, n)| sum >> map(|x| x / max(n, 1) as f64))
    }
    /// In order: an entry has the last three elements of its key.
    fn last_three<const N: usize>(keys: [u8; N], xs: [i32; N]) -> [[i32; 3]; 4] {
        reduceByKey(4, |[_, y, z], x| [y, z, x], [0, 0, 0], keys, xs)
    }
    /// The largest in each column.
    fn largest_of_columns<const N: usize>(keys: [u32; N], rows: [[i16; 4]; N]) -> [[i16; 4]; 7] {
        reduceByKey(7, |m, row| zip(m, row) >> map(max), repeat(4, i16::MIN), keys, rows)
    }
    /// The sum and the largest: one starts from zero, the other from what is there.
    fn sums_and_largest<const N: usize>(keys: [i32; N], xs: [(i64, f32); N]) -> [(i64, f32); 6] {
        reduceByKey(6, |(sum, most), (x, y)| (sum + x, max(most, y)), (3, -1.5), keys, xs)
    }
    /// The same where entries start from what is passed.
    fn sums_and_largest_from<const N: usize, const K: usize>(sums: [i32; K], most: [i32; K], keys: [u32; N]) -> [(i32, i32); K]
    where K >= 1 {
        keys >> reduce(
            |table, key| {
                let (sum, most) = at(key, table);
                update(key, (sum + 1, max(most, key as i32)), table)
            },
            zip(sums, most))
    }
    /// Small arrays whose elements are combined each in its own way.
    fn summaries<const N: usize>(keys: [u16; N], xs: [i32; N]) -> [[i32; 4]; 5] {
        reduceByKey(5, |[n, sum, least, most], x| [n + 1, sum + x, min(least, x), max(most, x)], [0, 0, 1000, -1000], keys, xs)
    }
    /// Sums of squares, and of products of three arrays with the position.
    fn squares_of_columns<const N: usize>(keys: [u32; N], rows: [[i32; 3]; N]) -> [[i32; 3]; 4] {
        reduceByKey(4, |s, row| zip(s, row) >> map(|s, x| s + x * x), [1, 2, 3], keys, rows)
    }
    fn weighted_columns<const N: usize, const F: usize>(keys: [u32; N], weights: [[i32; F]; N], rows: [[i32; F]; N]) -> [[i32; F]; 4] {
        zip(weights, rows)
            >> reduceByKey(4, |s, (ws, xs)| zip(ws, s, xs) >> map(|i => (w, s, x)| w * x + i as i32 + s), repeat(F, 0), keys)
    }
    /// One table for each row of keys.
    fn tables_of_arrays<const B: usize, const N: usize>(keys: [[u32; N]; B], xs: [[i32; N]; B]) -> [[[i32; 2]; 3]; B] {
        zip(keys, xs) >> map(|keys, xs| reduceByKey(3, |[n, s], x| [n + 1, s + x], [0, 0], keys, xs))
    }

    /// No reduction by key: `N as u8` is not always `N`.
    fn narrowed<const N: usize>(xs: [i32; N], start: [i32; 300]) -> [i32; 300] where N < 300 {
        xs >> reduce(|t, x| update(N as u8, at(N, t) + x, t), start)
    }
}
