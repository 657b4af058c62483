// Reductions whose steps load what the next step needs.

lift! {
    fn dots<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> mapGlb0(|row| zip(row, x) >> reduceSeqPipelined(|acc, (a, x)| acc + a * x, 0))
    }

    fn minus<const N: usize>(a: [i32; N]) -> i32 { a >> reduceSeqPipelined(|acc, x| x - acc, 7) }

    /// The first row is empty.
    fn rows_of_a_triangle<const N: usize>(m: [i => [i32; i]; N]) -> [i32; N] {
        m >> mapGlb0(reduceSeqPipelined(add, 0))
    }

    fn whole_triangle<const N: usize>(m: [i => [i32; i + 1]; N]) -> i32 { m >> join >> reduceSeqPipelined(add, 0) }

    fn neighbours<const N: usize>(a: [i32; N]) -> [i32; N] {
        a >> padConstant(1, 1, 100) >> slide(3, 1) >> mapGlb0(|nbh| nbh >> reduceSeqPipelined(|acc, x| 2 * acc + x, 0))
    }

    fn looked_up<const N: usize, const K: usize>(list: [[i32; K]; N], a: [i32; N]) -> [i32; N] {
        list >> mapGlb0(|l| l >> reduceSeqPipelined(|acc, i| 3 * acc + at(i, a), 0))
    }

    fn pairs<const N: usize>(a: [(i32, i32); N]) -> (i32, i32) {
        a >> reduceSeqPipelined(|(s, t), (x, y)| (s + x * y, max(t, y)), (1, 2))
    }

    /// What is loaded is chosen by position.
    fn chosen<const N: usize>(a: [i32; N], b: [i32; N]) -> i32 {
        generate(N, |i| if i < 3 { at(i, a) } else { at(N - 1 - i, b) }) >> reduceSeqPipelined(|acc, x| 5 * acc + x, 0)
    }

    /// A whole row in each step, in registers.
    fn columns<const N: usize>(a: [[i32; 6]; N]) -> [i32; 6] {
        a >> reduceSeqPipelined(|acc, row| zip(acc, row) >> mapSeq(|s, x| 2 * s + x), [1, 2, 3, 4, 5, 6])
    }

    fn tiles<const M: usize>(a: [[i32; 64]; M]) -> [i32; 64] {
        a >> split(M) >> mapWrg0(|rows| rows >> reduceSeqPipelined(|sums, row| {
            let tile = row >> toLocal(mapLcl0(id));
            zip(sums, reverse(tile)) >> mapLcl0(|s, x| 2 * s + x)
        }, repeat(64, 0)) >> mapLcl0(toGlobal(id))) >> join
    }

    /// Several elements for each work-item; groups have several columns of tiles, one after the other.
    #[launch(local = 16, global = 32)]
    fn tiles_in_rounds<const M: usize, const G: usize>(a: [[[i32; 64]; M]; G]) -> [[i32; 64]; G] {
        a >> mapWrg0(|rows| rows >> reduceSeqPipelined(|sums, row| {
            let tile = row >> toLocal(mapLcl0(id));
            zip(sums, reverse(tile)) >> mapLcl0(|s, x| 2 * s + x)
        }, repeat(64, 0)) >> mapLcl0(toGlobal(id)))
    }

    /// Fewer elements than work-items, and more than one tile in turn.
    #[launch(local = 32)]
    fn two_tiles<const M: usize>(a: [[i32; 24]; M], b: [[i32; 32]; M]) -> [i32; 24] {
        zip(a, b) >> split(M) >> mapWrg0(|rows| rows >> reduceSeqPipelined(|sums, (x, y)| {
            let first = x >> toLocal(mapLcl0(id));
            let second = y >> toLocal(mapLcl0(|v| v * v));
            zip(sums, reverse(first), second >> reverse >> slice(3, 24)) >> mapLcl0(|s, x, y| s + x * y)
        }, repeat(24, 0)) >> mapLcl0(toGlobal(id))) >> join
    }

    /// There is no room for two tiles.
    #[launch(local = 128)]
    fn large_tiles<const M: usize>(a: [[i32; 5120]; M]) -> [i32; 5120] {
        a >> split(M) >> mapWrg0(|rows| rows >> reduceSeqPipelined(|sums, row| {
            let tile = row >> toLocal(mapLcl0(id));
            zip(sums, reverse(tile)) >> mapLcl0(add)
        }, repeat(5120, 0)) >> mapLcl0(toGlobal(id))) >> join
    }

    /// Two rows at a time, and both products with them in registers.
    fn normal_product<const N: usize>(a: [[f32; 64]; N], x: [f32; 64]) -> [f32; 64] where N % 4 == 0 {
        a >> split(2) >> split(2) >> transpose >> mapWrg0(|pairs| {
            let xs = x >> split(16) >> transpose >> mapLcl0(toPrivate(mapSeq(id)));
            pairs >> reduceSeqPipelined(|sums, pair| {
                let own = pair >> map(|row| row >> split(16) >> transpose) >> transpose >> mapLcl0(toPrivate(mapSeq(mapSeq(id))));
                let parts = toLocal(|own| zip(own, xs) >> mapLcl0(|(rows, x)|
                    rows >> mapSeq(|row| zip(row, x) >> reduceSeq(|acc, (r, x)| acc + r * x, 0))) >> transpose, own);
                zip(sums, own) >> mapLcl0(|(s, rows)| zip(rows, parts) >> reduceSeqUnroll(|s, (row, part)| {
                    let y = part >> reduceSeqUnroll(add, 0);
                    zip(s, row) >> mapSeq(|(s, r)| s + y * r)
                }, s))
            }, repeat(16, repeat(4, 0))) >> mapLcl0(toGlobal(mapSeq(id))) >> transpose >> join
        }) >> transpose >> mapGlb0(|sums| sums >> reduceSeq(add, 0))
    }

    #[launch(local = (4, 4))]
    fn product<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
        where N % 16 == 0, M % 16 == 0, K % 4 == 0
    {
        a >> tile(16, 4) >> mapWrg1(|tilesOfA| b >> tile(4, 16) >> transpose >> mapWrg0(|tilesOfB|
            zip(tilesOfA, tilesOfB) >> reduceSeqPipelined(|acc, (ta, tb)| {
                let la = ta >> toLocal(|t| t >> map(asVector(4)) >> join >> split(4) >> mapLcl1(mapLcl0(id))
                    >> join >> split(1) >> map(asScalar) >> transpose >> increase2d(0, 0, 0, 4));
                let lb = tb >> toLocal(|t| t >> map(asVector(4)) >> join >> split(4) >> mapLcl1(mapLcl0(id))
                    >> join >> split(4) >> map(asScalar));
                zip(acc, la >> map(split(4)) >> transpose) >> mapLcl1(|(accRow, aBlock)|
                    zip(accRow, lb >> map(asVector(4)) >> transpose) >> mapLcl0(|(accBlock, bColumn)|
                        zip(aBlock, bColumn) >> reduceSeqUnroll(|c, (av, bv)|
                            zip(c, av) >> mapSeq(|(s, x)| s + x * bv), accBlock)))
            }, generate(4, |i| generate(4, |j| repeat(16, 0) >> asVector(4))))
            >> mapLcl1(mapLcl0(toGlobal(mapSeq(id))))
            >> map(|r| r >> transpose >> map(asScalar)) >> join
        )) >> untile
    }
}
