// Matrix products as Steuwer, Remmelg, Dubach derive them (CASES 2016 and GPGPU 2016): from the high-level
// form to blocks in registers, and dot products of vectors.

lift! {
    /// The program that everything starts from (CASES 2016, listing 1).
    fn high_level<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> map(|row| b >> transpose >> map(|col| zip(row, col) >> map(mult) >> reduce(add, 0)))
    }

    /// Blocks of 2x2, vectors of 4, one vector as accumulator, results stored two by two (CASES 2016, listing
    /// 3). The second matrix is stored transposed, as in ARM's `blockedNT`.
    fn listing3<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; K]; M]) -> [[f32; M]; N]
    where N % 2 == 0, M % 2 == 0, K % 4 == 0
    {
        a >> split(2) >> mapGlb0(|rowsOfA| b >> split(2) >> mapGlb1(|colsOfB|
            zip(rowsOfA >> transpose >> split(4) >> map(transpose), colsOfB >> transpose >> split(4) >> map(transpose))
                >> reduceSeq(|acc, (tileOfA, tileOfB)| {
                    let rows = tileOfA >> mapSeq(|row| row >> asVector(4) >> toPrivate(mapSeq(id)));
                    let columns = tileOfB >> mapSeq(|col| col >> asVector(4) >> toPrivate(mapSeq(id)));
                    let products = rows >> mapSeq(|row| columns >> mapSeq(|col|
                        zip(row, col) >> mapSeq(mult) >> asScalar >> reduceSeq(add, 0)));
                    zip(acc, products >> join >> asVector(4)) >> mapSeq(add)
                }, repeat(1, 0))
                >> asScalar >> asVector(2) >> toGlobal(mapSeq(id)) >> asScalar >> split(2)
        )) >> untile
    }

    /// A tile as accumulator, `dot` built in (CASES 2016, listing 4).
    fn listing4<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; K]; M]) -> [[f32; M]; N]
    where N % 2 == 0, M % 2 == 0, K % 4 == 0
    {
        a >> split(2) >> mapGlb0(|rowsOfA| b >> split(2) >> mapGlb1(|colsOfB|
            zip(transpose(rowsOfA) >> split(4), transpose(colsOfB) >> split(4))
                >> reduceSeq(|tile, (tileOfA, tileOfB)|
                    zip(tile, transpose(tileOfA)) >> mapSeq(|(sums, row)|
                        zip(sums, transpose(tileOfB)) >> mapSeq(|(sum, col)|
                            zip(row >> asVector(4), col >> asVector(4)) >> mapSeq(dot) >> reduceSeq(add, sum))),
                    repeat(2, repeat(2, 0)))
                >> toGlobal(mapSeq(mapSeq(id)))
        )) >> untile
    }

    /// Blocks of 8x4 in registers, tiles of 32x8 and 8x32 in local memory (GPGPU 2016, figure 7).
    #[launch(local = (8, 4))]
    fn blocks_of_8x4<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
    where N % 32 == 0, M % 32 == 0, K % 8 == 0
    {
        a >> tile(32, 8) >> mapWrg1(|rowOfTilesA| b >> tile(8, 32) >> transpose >> mapWrg0(|colOfTilesB|
            zip(rowOfTilesA, colOfTilesB) >> reduceSeq(|acc, (ta, tb)| {
                let la = ta >> toLocal(mapLcl1(mapLcl0(id)));
                let lb = tb >> toLocal(mapLcl1(mapLcl0(id)));
                zip(acc, la >> split(8)) >> mapLcl1(|(accRow, aBlock)|
                    zip(accRow, lb >> transpose >> split(4)) >> mapLcl0(|(accBlock, bBlock)|
                        zip(aBlock >> transpose, bBlock >> transpose) >> reduceSeq(|c, (av, bv)| {
                            let ap = av >> toPrivate(mapSeq(id));
                            let bp = bv >> toPrivate(mapSeq(id));
                            zip(c, ap) >> mapSeq(|(crow, x)| zip(crow, bp) >> mapSeq(|(sum, y)| sum + x * y))
                        }, accBlock)))
            }, repeat(4, repeat(8, repeat(8, repeat(4, 0)))))
            >> mapLcl1(mapLcl0(toGlobal(mapSeq(mapSeq(id))))) >> untile
        )) >> untile
    }

    /// The same with blocks of 8x8 on tiles with as many rows and columns, and with vectors of the result's
    /// rows.
    #[launch(local = (2, 2))]
    fn blocks_of_8x8<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
    where N % 16 == 0, M % 16 == 0, K % 4 == 0
    {
        a >> tile(16, 4) >> mapWrg1(|rowOfTilesA| b >> tile(4, 16) >> transpose >> mapWrg0(|colOfTilesB|
            zip(rowOfTilesA, colOfTilesB) >> reduceSeq(|acc, (ta, tb)| {
                let la = ta >> transpose >> toLocal(mapLcl0(mapLcl1(id))) >> transpose;
                let lb = tb >> map(asVector(4)) >> toLocal(mapLcl1(mapLcl0(id)));
                zip(acc, la >> split(8)) >> mapLcl1(|(accRow, aBlock)|
                    zip(accRow, lb >> transpose >> split(2)) >> mapLcl0(|(accBlock, bBlock)|
                        zip(aBlock >> transpose, bBlock >> transpose) >> reduceSeq(|c, (av, bv)| {
                            let ap = av >> toPrivate(mapSeq(id));
                            let bp = bv >> toPrivate(mapSeq(id));
                            zip(c, ap) >> mapSeq(|(crow, x)| zip(crow, bp) >> mapSeq(|(sum, y)| sum + x * y))
                        }, accBlock)))
            }, repeat(2, repeat(2, repeat(8, repeat(2, 0)))))
            >> mapLcl1(mapLcl0(toGlobal(mapSeq(mapSeq(id))) >> map(asScalar))) >> untile
        )) >> untile
    }

    /// Four rows and one vector of columns per work-item, no local memory (AMD's SDK).
    fn vectorised<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
    where N % 4 == 0, M % 4 == 0, K % 4 == 0
    {
        a >> split(4) >> mapGlb1(|rows| b >> map(asVector(4)) >> transpose >> mapGlb0(|column|
            zip(rows >> map(asVector(4)) >> transpose, column >> split(4)) >> reduceSeq(|acc, (vectors, four)| {
                let own = four >> toPrivate(mapSeq(id));
                zip(acc, vectors) >> mapSeq(|(sum, vector)|
                    zip([vector] >> asScalar, own) >> reduceSeqUnroll(|s, (x, y)| s + x * y, sum))
            }, repeat(4, 0))
        ) >> transpose >> map(asScalar)) >> join
    }

    fn dot_of_vectors<const N: usize>(x: [f32; N], y: [f32; N]) -> f32 where N % 4 == 0 {
        zip(asVector(4, x), asVector(4, y)) >> map(dot) >> reduce(add, 0)
    }

    /// A vector as accumulator, whose components are added up at the end.
    fn dot_by_components<const N: usize>(x: [f32; N], y: [f32; N]) -> f32 where N % 4 == 0 {
        let sums = zip(asVector(4, x), asVector(4, y)) >> reduceSeq(|acc, (u, v)| acc + u * v, 0);
        dot(sums, 1)
    }
}
