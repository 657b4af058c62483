// The language: expressions, and every primitive.

lift! {
    /// Matrix product.
    pub fn mm<const N: usize, const M: usize, const K: usize>(
        a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
    {
        a >> map(|row| transpose(b) >> map(|col| zip(row, col) >> map(mult) >> reduce(add, 0)))
    }

    /// `acc + x.0 * x.1`
    pub fn mult_add(acc: f32, x: (f32, f32)) -> f32 {
        acc + x.0 * x.1
    }

    /// The same product with a user function.
    pub fn mm_fused<const N: usize, const M: usize, const K: usize>(
        a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
    {
        a >> map(|row| transpose(b) >> map(|col| zip(row, col) >> reduceSeq(mult_add, 0)))
    }

    /// A matrix times a vector, by a kernel that calls another.
    pub fn mv<const N: usize, const K: usize>(a: [[f32; K]; N], x: [f32; K]) -> [f32; N] {
        x >> split(1) >> mm(a) >> join
    }
}

lift! {
    /// A transposition as a permutation of the flat array (CGO 2017, figure 6).
    pub fn transpose_gather<const N: usize, const M: usize>(x: [[f32; M]; N]) -> [[f32; N]; M] {
        x >> join >> gather(|i| i / N + (i % N) * M) >> split(N) >> mapWrg0(mapLcl0(id))
    }
}

lift! {
    /// Doubles every element, one work-item each.
    pub fn by_global_items<const N: usize>(a: [f32; N]) -> [f32; N] {
        mapGlb0(|x| x * 2, a)
    }

    /// Doubles every element, rows and columns by different dimensions of work-items.
    pub fn by_two_dimensions<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        mapGlb1(mapGlb0(|x| x * 2), a)
    }

    /// Doubles every element in one work-item.
    pub fn by_one_item<const N: usize>(a: [f32; N]) -> [f32; N] {
        mapSeq(|x| x * 2, a)
    }

    /// Every chunk of 64 reversed by a work-group, through local memory.
    pub fn reverse_chunks<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> split(64) >> mapWrg0(|chunk| chunk >> toLocal(mapLcl0(id)) >> reverse >> mapLcl0(toGlobal(id))) >> join
    }

    /// The sum of every pair's squares, which wait in registers.
    pub fn pairs<const N: usize>(a: [f32; 2 * N]) -> [f32; N] {
        a >> split(2) >> mapGlb0(|p| p >> toPrivate(mapSeq(|x| x * x)) >> reduceSeq(add, 0))
    }

    /// Sums of 3x3 neighbourhoods, from tiles in local memory.
    pub fn jacobi_tiles<const N: usize, const M: usize>(a: [[f32; 16 * M]; 16 * N]) -> [[f32; 16 * M]; 16 * N] {
        a >> pad2(1, 1, clamp) >> slide2(18, 16)
          >> mapWrg1(mapWrg0(|tile| tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2(3, 1)
                                         >> mapLcl1(mapLcl0(|nbh| nbh >> join >> reduceSeq(add, 0)))))
          >> untile
    }
}

lift! {
    fn nearest<const N: usize, const M: usize>(a: [f32; N], wanted: [u64; M]) -> [(f32, f32); M] where N >= 1 {
        wanted >> map(|i| (at(i, a), atOr(i, 0, a)))
    }
}
