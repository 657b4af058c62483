// `reduceSegments`: rows that data delimits.

lift! {
    fn sums<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [i32; K]) -> [i32; N] {
        reduceSegments(add, 0, offsets, xs)
    }
    /// There is no greatest number to start from.
    fn least<const N: usize, const K: usize>(offsets: [u64; N + 1], xs: [f32; K]) -> [f32; N] {
        xs >> reduceSegments(min, 100.0, offsets)
    }
    /// Offsets may be of any integer type, and their number be that of the array.
    fn statistics<const N: usize, const K: usize>(offsets: [i16; N], xs: [f64; K]) -> [(f64, f64, u32); N - 1]
        where N >= 1
    {
        reduceSegments(|(sum, most, count), x| (sum + x, max(most, x), count + 1), (0, -1000, 0), offsets, xs)
    }
    /// Its order is fixed.
    fn numbers<const N: usize, const K: usize>(offsets: [i64; N + 1], digits: [u8; K]) -> [u64; N] {
        reduceSegments(|number, digit| number * 10 + digit as u64, 0, offsets, digits)
    }
    /// Elements are computed where they are read, and results are used.
    fn products<const N: usize, const M: usize, const K: usize>(
        offsets: [u32; N + 1],
        columns: [u32; K],
        values: [f64; K],
        x: [f64; M],
    ) -> [f64; N] where M >= 1 {
        zip(columns, values)
            >> map(|column, value| value * at(column, x))
            >> reduceSegments(add, 0, offsets)
            >> map(|i => sum| 2.0 * sum - i as f64)
    }
    /// The start is data, and several are computed from each other.
    fn twice<const N: usize, const K: usize>(start: u32, offsets: [u32; N + 1], xs: [u32; K]) -> [u32; N - 1]
        where N >= 1
    {
        let bits = reduceSegments(|all, x| all ^ x, start, offsets, xs);
        reduceSegments(max, start, map(|x| x % 100, bits), xs)
    }
    /// What reads the segments takes them from lanes, or finds them stored.
    fn read_twice<const N: usize, const K: usize>(chosen: [bool; N], offsets: [u32; N + 1], xs: [i32; K]) -> ([i32; N], i32)
    {
        let sums = reduceSegments(add, 0, offsets, xs) >> map(|x| x + 1) >> map(|x| x * 2);
        let ranges = zip(reduceSegments(max, 0, offsets, xs), reduceSegments(min, 0, offsets, xs)) >> map(sub);
        (zip(chosen, ranges) >> map(|c, x| if c { x } else { 0 }), sums >> reduce(add, N))
    }
    fn of_vectors<const N: usize, const K: usize>(start: [f32; 4], offsets: [u32; N + 1], xs: [f32; 4 * K]) -> [f32; N] {
        let start = start >> asVector(4) >> head;
        xs >> asVector(4) >> reduceSegments(add, start, offsets) >> map(|v| dot(v, v))
    }
    /// A loop that takes elements, too, is no segment.
    fn with_elements<const N: usize, const K: usize>(counts: [i32; N], weights: [i32; K], xs: [i32; K]) -> [i32; N]
    {
        generate(N, |i| {
            let count = at(i, counts) as i64;
            weights >> reduceWhile(|k => sum, weight| (k as i64 < count, sum + weight * at(k, xs)), 0)
        })
    }
    /// Segments are delimited anew by their sums.
    fn delimited_by_sums<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [u32; K]) -> [u32; N + 1] {
        let zero = repeat(1, 0);
        offsets >> iterate(3, |ends| concat(zero, reduceSegments(add, 0, ends, xs) >> map(|x| x % 20000)))
    }
    /// The same, as long as the first sum is small.
    fn delimited_while_small<const N: usize, const K: usize>(offsets: [u32; N + 1], xs: [u32; K]) -> [u32; N + 1]
    {
        let zero = repeat(1, 0);
        iterateWhile(
            4,
            |ends| (reduceSegments(add, 0, ends, xs) >> reduce(max, 0)) < 1000000,
            |ends| concat(zero, reduceSegments(add, 0, ends, xs) >> map(|x| x % 20000)),
            offsets,
        )
    }
    /// Segments of arrays that change between them.
    fn summed_again<const N: usize>(offsets: [u32; N + 1], xs: [u32; N]) -> [u32; N] {
        xs >> iterate(3, |xs| {
            let (sums, most) = (reduceSegments(add, 1, offsets, xs), reduceSegments(max, 0, offsets, xs));
            zip(sums, most) >> map(|sum, most| (sum + most) % 1000)
        })
    }
    /// Segments of each row.
    fn of_rows<const N: usize, const M: usize, const K: usize>(offsets: [[u8; M]; N], xs: [[i32; K]; N]) -> [[i32; M - 1]; N]
        where M >= 1
    {
        zip(offsets, xs) >> map(|offsets, xs| reduceSegments(add, 1, offsets, xs))
    }
    /// The levels of a graph: how many steps each point is from the first one. The neighbours of point `i`
    /// are `targets[offsets[i]..offsets[i + 1]]`; each edge stands there in both directions.
    fn levels<const N: usize, const K: usize>(offsets: [u32; N + 1], targets: [u32; K]) -> [u32; N]
        where N >= 1
    {
        let start = generate(N, |i| if i == 0 { 0u32 } else { 1000000 });
        start >> iterate(N, |levels| {
            let nearest = targets >> map(|t| at(t, levels)) >> reduceSegments(min, 1000000, offsets);
            zip(levels, nearest) >> map(|own, other| min(own, other + 1))
        })
    }
}
