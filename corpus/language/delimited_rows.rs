// `segments`: rows that data delimits, as values.

lift! {
    fn product<const N: usize, const M: usize, const K: usize>(
        offsets: [u32; N + 1],
        columns: [u32; K],
        values: [f64; K],
        vector: [f64; M],
    ) -> [f64; N] where M >= 1 {
        segments(offsets, zip(columns, values)) >> map(|row| {
            row >> map(|column, value| value * at(column, vector)) >> reduce(add, 0)
        })
    }
    /// Rows that are only mapped need no number.
    fn each<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [u8; K]) -> [u8; K] {
        segments(offsets, xs) >> map(|row| row >> map(|x| x ^ 85)) >> join
    }
    /// Rows with a value for each.
    fn scaled<const N: usize, const K: usize>(offsets: [i32; N + 1], xs: [i64; K], ys: [i64; N]) -> [i64; K] {
        zip(segments(offsets, xs), ys) >> map(|row, y| row >> map(|x| x * y)) >> join
    }
    fn softmax<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f64; K]) -> [f64; K] {
        segments(offsets, xs) >> map(|row| {
            let most = row >> reduce(max, f64::MIN);
            let powers = row >> map(|x| exp(x - most));
            let sum = powers >> reduce(add, 0);
            powers >> map(|x| x / sum)
        }) >> join
    }
    /// Reductions that read each other, and the length.
    fn variance<const N: usize, const K: usize>(offsets: [u16; N + 1], xs: [f64; K]) -> [f64; N] {
        segments(offsets, xs) >> map(|row| {
            let mean = reduce(add, 0, row) / len(row) as f64;
            let squares = row >> map(|x| (x - mean) * (x - mean)) >> reduce(add, 0);
            if len(row) as i32 > 0 { squares / len(row) as f64 } else { 0 }
        })
    }
    /// A row that is read several times before it is reduced.
    fn spread<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f64; K]) -> [f64; N] {
        segments(offsets, xs) >> map(|row| {
            let sum = reduce(add, 0, row);
            let differences = row >> map(|x| sqrt(abs(x - sum)));
            reduce(max, 0, differences) - reduce(min, 1000, differences)
        })
    }
    /// Maps of maps, tuples of rows and what is computed of them, and values that a chosen row reads.
    fn in_steps<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [i32; K], ys: [i32; N]) -> ([i32; K], [i32; N]) {
        let shifted = segments(offsets, xs) >> map(|row| {
            let sum = reduce(add, 0, row);
            row >> map(|x| x - sum)
        }) >> map(|row| (row, reduce(max, -1000000, row)));
        let joined = shifted >> map(|row, most| row >> map(|x| x * 2 + most)) >> join;
        let chosen = zip(segments(offsets, xs), ys) >> map(|row, y| {
            let large = y * y;
            let row = if large > 9 { row } else { row };
            let squares = row >> map(|x| x * x + large);
            reduce(add, 0, squares) - reduce(max, 0, squares)
        });
        (joined, chosen)
    }
    /// Rows in a function of other rows, whose sum and length it reads.
    fn in_turn<const N: usize, const M: usize, const K: usize>(
        offsets: [u32; N + 1],
        others: [u32; M + 1],
        xs: [i32; K],
    ) -> [[i32; M]; N] {
        segments(offsets, xs) >> map(|row| {
            let sum = reduce(add, 0, row);
            let length = len(row) as i32;
            segments(others, xs) >> map(|other| reduce(add, sum, other) * length - len(other) as i32)
        })
    }
    /// Numbers of rows, and positions in them.
    fn positions<const N: usize, const K: usize>(offsets: [i64; N + 1], xs: [i32; K]) -> [(i32, i64, u32); K] {
        segments(offsets, xs)
            >> map(|i => row| row >> map(|k => x| (x + 2 * i as i32 + 1, k as i64, len(row) as u32)))
            >> join
    }
    /// Two arrays with the same rows, and what is made of them several times.
    fn normalised<const N: usize, const K: usize>(
        offsets: [u32; N + 1],
        xs: [i32; K],
        weights: [i32; K],
    ) -> ([i32; K], [i32; N]) {
        let products = zip(segments(offsets, xs), segments(offsets, weights))
            >> map(|row, weights| zip(row, weights) >> map(mult));
        let sums = products >> map(|row| row >> reduce(add, 0));
        (zip(products, sums) >> map(|row, sum| row >> map(|x| x - sum)) >> join, sums)
    }
    /// Elements with their neighbours in the row.
    fn differences<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [i32; K]) -> [i32; K] {
        segments(offsets, xs)
            >> map(|row| row >> map(|k => x| atOr(k as i64 + 1, 1000, row) - x + atOr(k as i32 - 1, 0, row)))
            >> join
    }
    /// Each element with all of its row.
    fn ranks<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; K]) -> [u32; K] {
        let rank = |row| row >> map(|x| row >> map(|y| (y < x) as u32) >> reduce(add, 0));
        segments(offsets, xs) >> map(rank) >> join
    }
    /// Loops over rows that end when data says so, and two results.
    fn until<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [i32; K]) -> [(i32, i32); N] {
        segments(offsets, xs) >> map(|row| {
            let sum = row >> reduceWhile(|sum, x| (x != 7, sum + x), 0);
            (sum, row >> reduce(|all, x| all * 3 + x, 1))
        })
    }
    /// Rows that a condition chooses, and components of their elements.
    fn chosen<const N: usize, const K: usize>(
        offsets: [u32; N + 1],
        pairs: [(i32, i32); K],
        first: [bool; N],
    ) -> [i32; K] {
        zip(first, segments(offsets, pairs)) >> map(|is_first, row| {
            let (left, right) = unzip(row);
            if is_first { left >> map(|x| 2 * x) } else { right }
        }) >> join
    }
    /// Work-items that the program names, and rows of rows with known lengths.
    fn by_work_items<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [[i32; 2]; K]) -> [i32; N] {
        segments(offsets, xs)
            >> mapGlb0(|row| row >> map(|pair| pair >> reduceSeq(add, 0)) >> reduceSeq(max, 0))
    }
    fn of_vectors<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [f32; 4 * K]) -> [f32; K] {
        segments(offsets, xs >> asVector(4)) >> map(|row| {
            let sum = row >> map(|v| dot(v, v)) >> reduce(add, 0);
            row >> map(|v| v * sum)
        }) >> join >> map(|v| dot(v, v))
    }
    /// Arrays that rows are reduced to: sums of powers, and tables of digits.
    fn powers_of_rows<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [i32; K]) -> [[i32; 3]; N] {
        segments(offsets, xs)
            >> map(|row| row >> reduce(|sums, x| zip(sums, [1, x, x * x]) >> map(|a, b| a + b), repeat(3, 0)))
    }
    fn digits_of_rows<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [u32; K]) -> [[u32; 16]; N] {
        segments(offsets, xs) >> map(|row| row >> reduceSeq(
            |table, x| {
                let digit = x & 15;
                let sum = at(digit, table) + x;
                update(digit, sum, table)
            },
            repeat(16, 0),
        ))
    }
}
