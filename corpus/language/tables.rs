// Tables of integers that work-items update together.

lift! {
    /// How often each remainder occurs.
    fn remainders<const N: usize>(divisor: usize, xs: [u32; N]) -> [i32; divisor] where divisor >= 1 {
        reduceGlb(|table, x| {
            let key = x % (divisor as u32);
            update(key, at(key, table) + 1, table)
        }, repeat(divisor, 0), xs)
    }
    /// Each integer of an element has an operator of its own, and one stays.
    fn extremes<const N: usize>(keys: [i32; N], xs: [i32; N]) -> [(i32, i32, u32, i32); 19] {
        zip(keys, xs) >> reduceGlb(|table, (key, x)| {
            let (most, least, count, mark) = at(key, table);
            update(key, (max(most, x), min(x, least), 1 + count, mark), table)
        }, repeat(19, (-1000, 1000, 0, 7)))
    }
    /// The table before is an array of data; several values are added to an element, and values come from
    /// other arrays.
    fn continued_together<const N: usize, const M: usize>(table: [u32; M], weights: [u32; M], keys: [i64; N]) -> [u32; M] {
        keys >> reduceGlb(|table, key| {
            let weight = at(key, weights);
            update(key, (at(key, table) + weight) + 3 * weight, table)
        }, map(|x| x + 1, table))
    }
    /// A table that another kernel reads.
    fn ranks<const N: usize>(keys: [u8; N]) -> [u32; N] {
        let counts = keys >> reduceGlb(|table, key| update(key, at(key, table) + 1, table), repeat(256, 0));
        let starts = counts >> scan(add, 0);
        keys >> map(|key| at(key, starts))
    }
    /// A step for some of the elements.
    fn above<const N: usize>(least: i32, keys: [i32; N]) -> [u32; 23] {
        keys >> reduceGlb(
            |table, key| if key > least { update(key, at(key, table) + 1, table) } else { table },
            repeat(23, 0),
        )
    }
    /// Keys that are numbers or sizes.
    fn all_in_one<const N: usize>(xs: [i32; N]) -> [i32; 3] {
        xs >> reduceGlb(|table, x| update(2, at(2, table) + x, table), repeat(3, 1))
    }
    fn greatest_behind<const N: usize>(xs: [i32; N]) -> [i32; N + 1] {
        xs >> reduceGlb(|table, x| update(N, max(at(N, table), x), table), repeat(N + 1, -5))
    }
    fn bits_of_keys<const N: usize>(keys: [i16; N], xs: [u32; N]) -> ([u32; 5], [u32; 5], [i32; 3]) {
        tuple(
            zip(keys, xs) >> reduceGlb(|table, (key, x)| update(key, at(key, table) | x, table), repeat(5, 0)),
            zip(keys, xs) >> reduceGlb(|table, (key, x)| update(key, x & at(key, table), table), repeat(5, 0xffff)),
            zip(keys, xs) >> reduceGlb(|table, (key, x)| update(key, at(key, table) ^ (x as i32), table), repeat(3, 5)),
        )
    }
    /// Each step updates the table for the keys of a row; another reduction goes on with the table.
    fn keys_of_rows<const N: usize, const M: usize>(before: [u32; 7], rows: [[u8; M]; N], rest: [i16; M]) -> [u32; 7] {
        reduceGlb(
            |table, key| update(key, at(key, table) + 10, table),
            rows >> reduceGlb(
                |table, row| row >> reduceSeq(|table, key| update(key, at(key, table) + 1, table), table),
                before,
            ),
            rest,
        )
    }

    /// A table for each group.
    fn counts_of_chunks<const N: usize>(bytes: [u8; N]) -> [[u32; 256]; N / 96] where N % 96 == 0 {
        bytes >> split(96) >> mapWrg0(|chunk| {
            chunk >> reduceLcl(|table, byte| update(byte, at(byte, table) + 1, table), repeat(256, 0))
                >> mapLcl0(toGlobal(id))
        })
    }
    /// Work-items take four neighbours at once, and the rest of a chunk one by one.
    fn counts_by_fours<const N: usize>(bytes: [u8; N]) -> [[u32; 40]; N / 98] where N % 98 == 0 {
        bytes >> split(98) >> mapWrg0(|chunk| {
            reduceLcl(
                |table, byte| update(byte, at(byte, table) + 1, table),
                chunk >> slice(0, 96) >> split(4) >> reduceLcl(
                    |table, four| {
                        four >> reduceSeqUnroll(|table, byte| update(byte, at(byte, table) + 1, table), table)
                    },
                    repeat(40, 0),
                ),
                chunk >> slice(96, 2),
            ) >> mapLcl0(toGlobal(id))
        })
    }
    /// What a group has counted is scanned by one of its work-items, and read by all of them.
    fn places_in_chunks<const N: usize>(bytes: [u8; N]) -> [[u32; 64]; N / 64] where N % 64 == 0 {
        bytes >> split(64) >> mapWrg0(|chunk| {
            let counts = chunk >> reduceLcl(|table, byte| {
                let key = byte / 16;
                update(key, at(key, table) + 1, table)
            }, repeat(16, 0));
            let starts = counts >> toLocal(scanSeq(add, 0));
            chunk >> mapLcl0(|byte| toGlobal(id)(at(byte / 16, starts)))
        })
    }
    /// Two tables of a group, of which the second one needs the first.
    fn rare_in_chunks<const N: usize>(xs: [i32; N]) -> [[i32; 8]; N / 80] where N % 80 == 0 {
        xs >> split(80) >> mapWrg0(|chunk| {
            let counts = chunk >> reduceLcl(|table, x| update(x, at(x, table) + 1, table), repeat(8, 0));
            chunk >> reduceLcl(|table, x| {
                let key = at(x, counts) / 2;
                update(key, at(key, table) + x, table)
            }, repeat(8, 100)) >> mapLcl0(toGlobal(id))
        })
    }

    /// Tables of rows: an element has two positions.
    fn pairs<const N: usize>(xs: [u8; N]) -> [[u32; 7]; 5] {
        xs >> reduceGlb(|table, x| {
            let i = x / 16;
            let j = x % 16;
            let row = at(i, table);
            update(i, update(j, at(j, row) + 1, row), table)
        }, repeat(5, repeat(7, 2)))
    }
    fn pairs_in_chunks<const N: usize>(xs: [u8; N]) -> [[[u32; 7]; 5]; N / 70] where N % 70 == 0 {
        xs >> split(70) >> mapWrg0(|chunk| {
            chunk >> reduceLcl(|table, x| {
                let i = x / 16;
                let j = x % 16;
                update(i, update(j, at(j, at(i, table)) + 1, at(i, table)), table)
            }, repeat(5, repeat(7, 0))) >> mapLcl0(mapSeq(toGlobal(id)))
        })
    }
    /// Neighbours take the entries of a key in turn.
    fn in_turn<const N: usize>(keys: [i16; N], xs: [i32; N]) -> [[(i32, i32); 3]; 4] {
        zip(keys, xs) >> reduceGlb(|step => table, (key, x)| {
            let row = at(key, table);
            let (sum, most) = at(step % 3, row);
            update(key, update(step % 3, (sum + x, max(most, x)), row), table)
        }, repeat(4, repeat(3, (1, -2000))))
    }

    /// Reductions by key, which have a form of their own.
    fn pairs_counted<const N: usize>(rows: usize, columns: usize, xs: [(i32, u8); N]) -> [[u32; columns]; rows]
    where rows >= 1, columns >= 1 {
        xs >> reduce(|table, (i, j)| {
            let row = at(i, table);
            let count = at(j, row) + 1;
            let counted = update(j, count, row);
            update(i, counted, table)
        }, repeat(rows, repeat(columns, 0)))
    }
    fn counted<const N: usize>(bytes: [u8; N]) -> [u32; 256] { histogram(256, bytes) }
    fn most_of_key<const N: usize>(bins: usize, keys: [u32; N], xs: [i32; N]) -> [i32; bins] where bins >= 1 {
        reduceByKey(bins, max, -3, keys, xs)
    }
    fn least_and_count<const N: usize>(keys: [i32; N], xs: [i32; N]) -> [(i32, i32); 40] {
        reduceByKey(40, |(least, count), x| (min(least, x), count + 1), (50, 0), keys, xs)
    }
    fn normalised<const N: usize>(xs: [i32; N]) -> [f32; 6] {
        let counts = xs >> map(|x| x / 2) >> histogram(6);
        let all = counts >> reduce(add, 0);
        counts >> map(|count| (count as f32) / (max(all, 1) as f32))
    }
    fn again_and_again<const N: usize>(rounds: usize, keys: [i32; N]) -> [i32; 12] {
        repeat(12, 1) >> iterate(rounds, |table| {
            keys >> reduce(|counts, key| {
                let place = at(key, table) % 12;
                update(place, at(place, counts) + 1, counts)
            }, table)
        })
    }
}
