// Chunks, the last of them shorter where they do not fill the array; rows that take the elements in turn; and
// functions that know the position of their element.

lift! {
    /// Sums of chunks; the last chunk may be shorter.
    fn sums_of_chunks<const N: usize>(a: [f32; N]) -> [f32; (N + 6) / 7] { a >> chunks(7) >> map(reduce(add, 0)) }

    /// The same with as many elements in a chunk as the caller says.
    fn sums_of_parts<const N: usize>(m: size, a: [f32; N]) -> [f32; (N + m - 1) / m] {
        a >> chunks(m) >> map(reduce(add, 0))
    }

    fn chunks_backwards<const N: usize>(a: [f32; N]) -> [f32; N] { a >> chunks(5) >> map(reverse) >> join }

    /// The elements of chunks are read in an order of their own.
    fn total_of_chunks<const N: usize>(a: [f32; N]) -> f32 {
        a >> chunks(5) >> map(reverse) >> join >> reverse >> reduce(|i => sum, x| sum + x * ((i % 3) as f32), 0)
    }

    /// Tiles of a matrix of any size, uneven at both borders, written back.
    fn tiles<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> chunks(8) >> map(|rows| rows >> map(chunks(4)) >> transpose
            >> map(map(map(|x| x * 2))) >> transpose >> map(join)) >> join
    }

    /// The same by work-groups: a tile belongs to one.
    fn tiles_of_groups<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> chunks(8) >> mapWrg1(|rows| rows >> map(chunks(4)) >> transpose
            >> mapWrg0(|tile| tile >> mapLcl1(mapLcl0(|x| x * 2))) >> transpose >> map(join)) >> join
    }

    /// Each of 16 work-items takes every sixteenth element, and writes its results there.
    fn doubled_in_turn<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> deinterleave(16) >> mapGlb0(mapSeq(|x| x * 2)) >> interleave
    }

    /// The same for as many work-items as the caller says.
    fn doubled_by<const N: usize>(p: size, a: [f32; N]) -> [f32; N] {
        a >> deinterleave(p) >> mapGlb0(mapSeq(|x| x * 2)) >> interleave
    }

    /// Rows as they are packed: one after the other.
    fn taken_apart<const N: usize>(a: [f32; N]) -> [l => [f32; (N - l + 2) / 3]; 3] {
        a >> deinterleave(3) >> map(map(|x| x + 1))
    }

    fn put_together<const N: usize>(rows: [l => [f32; (N - l + 2) / 3]; 3]) -> [f32; N] { rows >> interleave }

    /// Rows of one length.
    fn shuffled<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N * M] { a >> interleave }

    /// The product of a matrix with a vector: neighbouring work-items of a group add up neighbouring products.
    #[launch(local = 32)]
    fn products_in_turn<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> mapWrg0(|row| zip(row, x) >> deinterleave(32)
            >> mapLcl0(|own| own >> reduceSeq(|acc, (p, q)| acc + p * q, 0) >> toLocal(id))
            >> iterate(5, |sums| sums >> split(len(sums) / 2) >> transpose
                >> mapLcl0(|pair| pair >> reduceSeq(add, 0) >> toLocal(id)))
            >> mapLcl0(toGlobal(id))) >> join
    }
}

lift! {
    /// Elements times those of the other end.
    fn crossed<const N: usize>(a: [f32; N], b: [f32; N]) -> [f32; N] { a >> map(|i => x| x * at(N - 1 - i, b)) }

    /// Both positions of an element.
    fn numbered<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> mapGlb1(|i => row| row >> mapGlb0(|j => x| x + (i * M + j) as f32))
    }

    /// What a row is divided by depends on its position, and is computed once.
    fn scaled_rows<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|i => row| {
            let s = row >> reduce(|j => acc, x| acc + x * (i + j) as f32, 1);
            row >> map(|j => x| x * s + j as f32)
        })
    }

    /// The sum of the elements times their positions, by the whole device.
    fn moment<const N: usize>(a: [f32; N]) -> f32 { a >> reduce(|i => sum, x| sum + x * (i % 16) as f32, 0) }

    /// The same and a maximum, of one array.
    fn moment_and_peak<const N: usize>(a: [f32; N]) -> (f32, f32) {
        (a >> map(|i => x| x * (i % 16) as f32) >> reduce(add, 0), a >> map(|k => x| x - k as f32) >> reduce(max, -1000))
    }

    /// The position of the last element that is larger than any before it.
    fn last_record<const N: usize>(a: [f32; N]) -> i32 {
        a >> reduceSeq(|i => (most, at), x| if x > most { (x, i as i32) } else { (most, at) }, (-1000, -1)) >> get(1)
    }

    fn polynomials<const N: usize>(a: [f32; N]) -> [f32; N] { a >> scanSeq(|i => acc, x| acc * 0.5 + x + i as f32, 1) }

    fn restarted<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> scanInclusive(|i => acc, x| if i % 4 == 0 { x } else { acc + x })
    }

    fn weighted_windows<const N: usize>(a: [f32; N]) -> [f32; N - 2] where N > 2 {
        a >> mapSeqSlide(|i => w| reduceSeq(add, 0, w) * (i % 3) as f32, 3, 1)
    }

    /// Rows of a triangle: row `i` has the elements up to `i`.
    fn starts<const N: usize>(a: [f32; N]) -> [i => [f32; i + 1]; N] {
        a >> map(|i => x| slice(0, i + 1, a) >> map(|y| y - x))
    }

    /// A map over joined rows of different lengths knows the position in the joined array.
    fn numbered_triangle<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N * (N + 1) / 2] {
        m >> map(map(|x| x * 2)) >> join >> map(|k => x| x + k as f32)
    }
}
