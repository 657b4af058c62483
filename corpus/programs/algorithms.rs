// Programs that users write first, and those of the papers that use the whole set of array primitives.

lift! {
    /// Partial sums of a dot product, a work-group for every 128 elements (CGO 2017, listing 1).
    fn partial_dot<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; N / 128] where N % 128 == 0 {
        zip(x, y) >> split(128) >> mapWrg0(|chunk|
            chunk >> split(2) >> mapLcl0(|p| p >> reduceSeq(|acc, (a, b)| acc + a * b, 0) >> toLocal(id))
                >> iterate(6, |t| t >> split(2) >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }

    fn softmax<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| {
            let most = row >> reduce(max, -1e30);
            let weights = row >> map(|x| exp(x - most));
            let sum = weights >> reduce(add, 0);
            weights >> map(|w| w / sum)
        })
    }

    /// The position of the smallest element of every row.
    fn argmin<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [i32; N] {
        a >> map(|row| {
            let best = zip(row, generate(M, |i| i as i32))
                >> reduce(|(least, at), (x, i)| if x < least { (x, i) } else { (least, at) }, (1e30, 0));
            best.1
        })
    }

    fn column_sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; M] {
        a >> transpose >> map(reduce(add, 0))
    }

    fn prefix_sums<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> map(scan(add, 0))
    }

    /// The sum of the values of every atom's neighbours: an index array drives `at` (SHOC's molecular
    /// dynamics).
    fn neighbour_sums<const N: usize, const K: usize>(neighbours: [[i32; K]; N], values: [f32; N]) -> [f32; N] {
        neighbours >> map(|list| list >> map(|i| at(i, values)) >> reduce(add, 0))
    }

    fn mean_pool<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; (M - 2 + 2) / 2]; (N - 2 + 2) / 2] {
        a >> slide2(2, 2) >> map2(|window| (window >> join >> reduce(add, 0)) * 0.25)
    }

    fn batched_product<const B: usize, const N: usize, const M: usize, const K: usize>(
        a: [[[f32; K]; N]; B], b: [[[f32; M]; K]; B]) -> [[[f32; M]; N]; B]
    {
        zip(a, b) >> map(|(x, y)| x >> map(|row| transpose(y) >> map(|col| zip(row, col) >> map(mult) >> reduce(add, 0))))
    }

    /// The array between two constant borders, backwards.
    fn framed<const N: usize>(a: [i32; N]) -> [i32; N + 4] {
        concat(repeat(2, 7), reverse(a), generate(2, |i| (i as i32) * 10))
    }

    /// Sums and differences of pairs, as two arrays.
    fn butterflies<const N: usize>(a: [f32; 2 * N]) -> ([f32; N], [f32; N]) {
        a >> split(2) >> map(|p| (head(p) + last(p), head(p) - last(p))) >> unzip
    }
}
