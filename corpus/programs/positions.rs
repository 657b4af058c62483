// Position-dependent arrays (Pizzuti, Steuwer, Dubach, FHPNC 2019).

lift! {
    /// Triangular matrix-vector product (listing 3).
    pub fn trmv<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> map(|row| zip(row, slice(0, len(row), v)) >> map(mult) >> reduce(add, 0))
    }

    /// The same, a work-group per row, each row padded to whole chunks; the chunks are added up by a second
    /// kernel (listing 5).
    fn trmv_wrg<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> mapWrg0(|row|
                zip(padConstant(0, (N + 63) / 64 * 64 - len(row), 0, row), padConstant(0, (N + 63) / 64 * 64 - N, 0, v))
                    >> split(64)
                    >> mapLcl0(reduceSeq(|acc, (a, b)| acc + a * b, 0)))
          >> mapGlb0(reduceSeq(add, 0))
    }

    /// The same for sizes that chunks divide.
    fn trmv_wrg_even<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] where N % 4 == 0 {
        m >> mapWrg0(|row|
                zip(padConstant(0, N - len(row), 0, row), v) >> split(4) >> mapLcl0(reduceSeq(|acc, (a, b)| acc + a * b, 0)))
          >> mapGlb0(reduceSeq(add, 0))
    }

    /// The rows of a triangle of a vector's elements (figure 9), doubled.
    fn doubled_triangle<const N: usize>(a: [f32; N * (N + 1) / 2]) -> [i => [f32; i + 1]; N] {
        a >> partition(N, |i| i + 1) >> map(map(|x| x * 2))
    }

    fn twice_joined<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N * (N + 1) / 2] {
        m >> map(map(|x| x * 2)) >> join
    }

    fn joined_then_twice<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N * (N + 1) / 2] {
        m >> join >> map(|x| x * 2)
    }

    /// A row is read backwards in a triangle that is read backwards: an upper triangle becomes a lower one.
    fn turned<const N: usize>(u: [i => [f32; N - i]; N]) -> [i => [f32; i + 1]; N] {
        u >> reverse >> map(reverse)
    }

    fn upper_product<const N: usize>(u: [i => [f32; N - i]; N], v: [f32; N]) -> [f32; N] {
        generate(N, |i| { let row = at(i, u); zip(row, slice(i, N - i, v)) >> map(mult) >> reduce(add, 0) })
    }

    /// The lengths of rows have no sum that is a formula: comparisons tell a few of them apart.
    fn growing_rows<const N: usize>(a: [f32; N]) -> [f32; 6] {
        a >> partition(6, |i| log2(i + 1)) >> map(reduce(add, 0))
    }

    /// All rows are as long as each other, if there are any.
    fn even_rows<const N: usize>(m: size, a: [f32; N]) -> [f32; m] {
        a >> partition(m, |i| N / m) >> map(reduce(add, 0))
    }

    /// The levels of a binary tree.
    fn level_sums<const L: usize>(tree: [i => [f32; pow(2, i)]; L]) -> [f32; L] {
        tree >> map(reduce(add, 0))
    }

    fn increased_tree<const L: usize>(tree: [i => [f32; pow(2, i)]; L]) -> [i => [f32; pow(2, i)]; L] {
        tree >> map(map(|x| x + 1))
    }

    /// The product with a band matrix: only its diagonals up to `K` away from the main one are stored.
    fn banded_product<const N: usize>(k: size, band: [i => [f32; min(i + k + 1, N) - max(i - k, 0)]; N], v: [f32; N]) -> [f32; N] {
        generate(N, |i| {
            let row = at(i, band);
            zip(row, slice(max(i - k, 0), len(row), v)) >> map(mult) >> reduce(add, 0)
        })
    }

    /// The first two rows of a triangle as one group, the others as groups of one row (figure 7).
    fn grouped(m: [i => [j => [f32; sum(i, |k| if k == 0 { 2 } else { 1 }) + j + 1]; if i == 0 { 2 } else { 1 }]; 3]) -> [f32; 3] {
        m >> map(|group| group >> map(reduce(add, 0)) >> reduce(add, 0))
    }

    /// Rows of a triangle in pairs, and back.
    fn paired<const N: usize>(m: [i => [f32; i + 1]; N]) -> [f32; N * (N + 1) / 2] where N % 2 == 0 {
        m >> split(2) >> map(map(map(|x| x + 0.5))) >> join >> join
    }

    /// Many triangles.
    fn triangles<const B: usize, const N: usize>(m: [[i => [f32; i + 1]; N]; B], v: [f32; N]) -> [[f32; N]; B] {
        m >> map(map(|row| zip(row, slice(0, len(row), v)) >> map(mult) >> reduce(add, 0)))
    }

    /// A stencil in three sections; only the first and the last look at the border (listing 9).
    fn sections<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 4 {
        a >> pad(2, 2, clamp) >> slide(5, 1) >> partition(3, caseSplit(2, N - 4, 2))
          >> mapSeqUnroll(mapGlb0(reduceSeq(add, 0))) >> join
    }

    /// Borders whose widths only the call knows.
    fn sections_of_any_width<const N: usize>(l: size, r: size, a: [f32; N]) -> [f32; N] where l + r <= N, N >= 1 {
        a >> pad(l, r, clamp) >> slide(l + r + 1, 1) >> partition(3, caseSplit(l, N - l - r, r))
          >> mapSeqUnroll(mapGlb0(reduceSeq(add, 0))) >> join
    }

    fn sections_of_constants<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 2 {
        a >> padConstant(1, 1, 2.5) >> slide(3, 1) >> partition(3, caseSplit(1, N - 2, 1))
          >> mapSeqUnroll(mapGlb0(reduceSeq(add, 0))) >> join
    }

    fn mirrored_sections<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 2 {
        a >> pad(1, 1, mirror) >> slide(3, 1) >> partition(3, caseSplit(1, N - 2, 1))
          >> mapSeqUnroll(mapGlb0(reduceSeq(add, 0))) >> join
    }

    /// The same in two dimensions: nine sections, the inner one without a border.
    fn sections2<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] where N >= 2, M >= 2 {
        a >> pad2(1, 1, clamp) >> slide2(3, 1)
          >> map(partition(3, caseSplit(1, M - 2, 1))) >> partition(3, caseSplit(1, N - 2, 1))
          >> mapSeqUnroll(mapGlb1(mapSeqUnroll(mapGlb0(|nbh| nbh >> join >> reduceSeq(add, 0)))))
          >> map(map(join)) >> join
    }

    /// Prefix sums of every row.
    fn row_prefixes<const N: usize>(m: [i => [i32; i + 1]; N]) -> [i => [i32; i + 1]; N] {
        m >> map(scanInclusive(add))
    }

    /// Every number with the length of its row.
    fn with_lengths<const N: usize>(m: [i => [i32; i + 1]; N]) -> [i => [(i32, i32); i + 1]; N] {
        m >> map(|row| row >> map(|x| (x, len(row) as i32)))
    }

    /// Elements of rows that nothing stores, at any position of all of them.
    fn windows_over_rows(m: [i => [f32; i + 1]; 4]) -> [f32; 8] {
        m >> map(map(|x| x * 2)) >> join >> slide(3, 1) >> map(reduce(add, 0))
    }

    fn total<const N: usize>(m: [row => [f32; row + 1]; N]) -> f32 {
        m >> reduce(|acc, row| acc + reduce(add, 0, row), 0)
    }

    /// What a group stores of its row has room for the longest one.
    fn turned_by_groups<const N: usize>(u: [i => [f32; N - i]; N]) -> [i => [f32; N - i]; N] {
        u >> mapWrg0(|row| row >> toGlobal(mapLcl0(id)) >> reverse >> mapLcl0(|x| x + 1))
    }

    fn turned_in_tiles(u: [i => [f32; 8 - i]; 8]) -> [i => [f32; 8 - i]; 8] {
        u >> mapWrg0(|row| row >> toLocal(mapLcl0(id)) >> reverse >> mapLcl0(|x| x + 1))
    }

    fn turned_in_blocks(u: [i => [f32; 8 - i]; 8]) -> [i => [f32; 8 - i]; 8] {
        u >> mapGlb0(|row| row >> toPrivate(mapSeq(id)) >> reverse >> mapSeq(|x| x + 1))
    }

    fn thrice<const N: usize>(u: [i => [f32; N - i]; N]) -> [i => [f32; N - i]; N] {
        u >> map(|row| iterate(3, map(|x| x + 1), row))
    }

    fn thrice_in_trees<const L: usize>(tree: [i => [f32; pow(2, i)]; L]) -> [i => [f32; pow(2, i)]; L] {
        tree >> map(|row| iterate(3, map(|x| x + 1), row))
    }

    /// Vectors are written through rows that comparisons tell apart.
    fn turned_vectors(a: [[f32; 8]; 4]) -> [[f32; 8]; 4] {
        a >> mapGlb1(mapGlb0(|x| x + 1))
          >> map(asVector(2) >> partition(3, caseSplit(2, 1, 1)) >> map(reverse) >> join) >> map(asScalar)
    }

    /// The name of a position is not one that a loop has.
    fn unrolled_total(m: [position => [f32; position + 1]; 4]) -> f32 {
        m >> reduceSeqUnroll(|acc, row| acc + reduce(add, 0, row), 0)
    }
}
