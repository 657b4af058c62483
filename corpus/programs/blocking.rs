// Matrix products with tiles in local memory and blocks of the result in registers (Steuwer, Remmelg, Dubach,
// GPGPU 2016, figure 7) and other private arrays that the work-items of a group share out.

lift! {
    /// Tiles of 32x8 and 8x32, 8x16 work-items, each with a block of 4x2.
    fn blocked<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
    where N % 32 == 0, M % 32 == 0, K % 8 == 0
    {
        let tilesA = tile(32, 8, a);
        let tilesB = tile(8, 32, b) >> transpose;
        tilesA >> mapWrg1(|rowOfTilesA| tilesB >> mapWrg0(|colOfTilesB|
            zip(rowOfTilesA, colOfTilesB) >> reduceSeq(|acc, (ta, tb)| {
                let la = ta >> toLocal(mapLcl1(mapLcl0(id)));
                let lb = tb >> toLocal(mapLcl1(mapLcl0(id)));
                let blocksA = la >> split(4);
                let blocksB = lb >> transpose >> split(2);
                zip(acc, blocksA) >> mapLcl1(|(accRow, aBlock)|
                    zip(accRow, blocksB) >> mapLcl0(|(accBlock, bBlock)|
                        zip(aBlock >> transpose, bBlock >> transpose) >> reduceSeq(|c, (av, bv)| {
                            let ap = av >> toPrivate(mapSeq(id));
                            let bp = bv >> toPrivate(mapSeq(id));
                            zip(c, ap) >> mapSeq(|(crow, x)| zip(crow, bp) >> mapSeq(|(cv, y)| cv + x * y))
                        }, accBlock)))
            }, repeat(8, repeat(16, repeat(4, repeat(2, 0)))))
            >> mapLcl1(mapLcl0(toGlobal(mapSeq(mapSeq(id)))))
            >> map(transpose) >> join >> map(join)
        )) >> map(transpose) >> join >> map(join)
    }

    /// More rows than work-items: every work-item keeps several elements, some one more than others.
    fn column_sums<const N: usize>(a: [[f32; 20]; N]) -> [f32; 20]
    where N % 4 == 0
    {
        a >> split(N) >> mapWrg0(|rows|
            rows >> reduceSeq(|acc, row| zip(acc, row) >> mapLcl0(|(sum, x)| sum + x), repeat(20, 0))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }

    /// Every element of the next accumulator depends on all of the last one: nothing is updated in place.
    fn rotated_sums<const N: usize>(a: [[f32; 4]; N]) -> [f32; 4] {
        a >> reduceSeq(|acc, row| zip(acc >> gather(rotate(1)), row) >> mapSeq(|(sum, x)| sum * 0.5 + x), repeat(4, 0))
    }
}
