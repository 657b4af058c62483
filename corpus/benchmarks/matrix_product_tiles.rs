// The matrix product with tiles in local memory and a block of the result in the registers of each work-item.
// A group computes one tile of the result, from one tile of each matrix after the other. Its work-items form
// rows and columns. Each computes a block, which consists of pieces of four rows and four columns.
// Neighbouring work-items have neighbouring pieces, so that the pieces of one block lie apart, by a piece for
// each work-item of a row or column. `reduceSeqPipelined` does double buffering: the next tiles are loaded
// while the present ones are used. `mm_tiles_NxM` computes tiles of N x M elements.

lift! {
    #[launch(local = 128)]
    fn mm_blocked<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
        where N % 64 == 0, M % 64 == 0, K % 8 == 0
    {
        a >> tile(64, 8) >> mapWrg1(|tilesOfA| b >> tile(8, 64) >> transpose >> mapWrg0(|tilesOfB|
            zip(tilesOfA, tilesOfB) >> reduceSeq(|acc, (ta, tb)| {
                let la = ta >> toLocal(|t| t >> map(asVector(4)) >> join >> split(128) >> mapSeq(mapLcl0(id))
                    >> join >> split(8 / 4) >> map(asScalar) >> transpose >> increase2d(0, 0, 0, 4));
                let lb = tb >> toLocal(|t| t >> map(asVector(4)) >> join >> split(128) >> mapSeq(mapLcl0(id))
                    >> join >> split(64 / 4) >> map(asScalar));
                let rows = la >> map(|r| r >> split(4) >> split(16) >> transpose) >> transpose;
                let columns = lb >> map(|r| r >> asVector(4) >> split(8) >> transpose) >> transpose;
                let blocks = rows >> map(|r| columns >> map(|c| (r, c))) >> join;
                zip(acc, blocks) >> mapLcl0(|(block, (aBlock, bBlock))|
                    zip(aBlock, bBlock) >> reduceSeqUnroll(|sums, (av, bv)| {
                        let ap = av >> join >> asVector(4) >> toPrivate(mapSeq(id)) >> asScalar;
                        let bp = bv >> toPrivate(mapSeq(id));
                        zip(sums, ap) >> mapSeq(|(line, x)| zip(line, bp) >> mapSeq(|(s, y)| s + x * y))
                    }, block))
            }, generate(128, |i| generate(4, |p| repeat(8, 0) >> asVector(4))))
            >> mapLcl0(toGlobal(mapSeq(mapSeq(id)))) >> split(8)
            >> map(|r| r >> transpose >> map(|line| line >> transpose >> join >> asScalar) >> split(4)) >> transpose >> join >> join
        )) >> untile
    }
}

lift! {
    #[launch(local = 64)]
    fn mm_tiles_32x32<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
        where N % 32 == 0, M % 32 == 0, K % 32 == 0
    {
        a >> tile(32, 32) >> mapWrg1(|tilesOfA| b >> tile(32, 32) >> transpose >> mapWrg0(|tilesOfB|
            zip(tilesOfA, tilesOfB) >> reduceSeqPipelined(|acc, (ta, tb)| {
                let la = ta >> toLocal(|t| t >> map(asVector(4)) >> join >> split(64) >> mapSeq(mapLcl0(id))
                    >> join >> split(32 / 4) >> map(asScalar) >> transpose >> increase2d(0, 0, 0, 4));
                let lb = tb >> toLocal(|t| t >> map(asVector(4)) >> join >> split(64) >> mapSeq(mapLcl0(id))
                    >> join >> split(32 / 4) >> map(asScalar));
                let rows = la >> map(|r| r >> split(4) >> split(8) >> transpose) >> transpose;
                let columns = lb >> map(|r| r >> asVector(4) >> split(8) >> transpose) >> transpose;
                let blocks = rows >> map(|r| columns >> map(|c| (r, c))) >> join;
                zip(acc, blocks) >> mapLcl0(|(block, (aBlock, bBlock))|
                    zip(aBlock, bBlock) >> reduceSeqUnroll(|sums, (av, bv)| {
                        let ap = av >> join >> asVector(4) >> toPrivate(mapSeq(id)) >> asScalar;
                        let bp = bv >> toPrivate(mapSeq(id));
                        zip(sums, ap) >> mapSeq(|(line, x)| zip(line, bp) >> mapSeq(|(s, y)| s + x * y))
                    }, block))
            }, generate(64, |i| generate(4, |p| repeat(4, 0) >> asVector(4))))
            >> mapLcl0(toGlobal(mapSeq(mapSeq(id)))) >> split(8)
            >> map(|r| r >> transpose >> map(|line| line >> transpose >> join >> asScalar) >> split(4)) >> transpose >> join >> join
        )) >> untile
    }
}

lift! {
    #[launch(local = 128)]
    fn mm_tiles_64x64<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
        where N % 64 == 0, M % 64 == 0, K % 16 == 0
    {
        a >> tile(64, 16) >> mapWrg1(|tilesOfA| b >> tile(16, 64) >> transpose >> mapWrg0(|tilesOfB|
            zip(tilesOfA, tilesOfB) >> reduceSeqPipelined(|acc, (ta, tb)| {
                let la = ta >> toLocal(|t| t >> map(asVector(4)) >> join >> split(128) >> mapSeq(mapLcl0(id))
                    >> join >> split(16 / 4) >> map(asScalar) >> transpose >> increase2d(0, 0, 0, 4));
                let lb = tb >> toLocal(|t| t >> map(asVector(4)) >> join >> split(128) >> mapSeq(mapLcl0(id))
                    >> join >> split(64 / 4) >> map(asScalar));
                let rows = la >> map(|r| r >> split(4) >> split(8) >> transpose) >> transpose;
                let columns = lb >> map(|r| r >> asVector(4) >> split(16) >> transpose) >> transpose;
                let blocks = rows >> map(|r| columns >> map(|c| (r, c))) >> join;
                zip(acc, blocks) >> mapLcl0(|(block, (aBlock, bBlock))|
                    zip(aBlock, bBlock) >> reduceSeqUnroll(|sums, (av, bv)| {
                        let ap = av >> join >> asVector(4) >> toPrivate(mapSeq(id)) >> asScalar;
                        let bp = bv >> toPrivate(mapSeq(id));
                        zip(sums, ap) >> mapSeq(|(line, x)| zip(line, bp) >> mapSeq(|(s, y)| s + x * y))
                    }, block))
            }, generate(128, |i| generate(8, |p| repeat(4, 0) >> asVector(4))))
            >> mapLcl0(toGlobal(mapSeq(mapSeq(id)))) >> split(16)
            >> map(|r| r >> transpose >> map(|line| line >> transpose >> join >> asScalar) >> split(4)) >> transpose >> join >> join
        )) >> untile
    }
}

lift! {
    #[launch(local = 256)]
    fn mm_tiles_256x128<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
        where N % 256 == 0, M % 128 == 0, K % 8 == 0
    {
        a >> tile(256, 8) >> mapWrg1(|tilesOfA| b >> tile(8, 128) >> transpose >> mapWrg0(|tilesOfB|
            zip(tilesOfA, tilesOfB) >> reduceSeqPipelined(|acc, (ta, tb)| {
                let la = ta >> toLocal(|t| t >> map(asVector(4)) >> join >> split(256) >> mapSeq(mapLcl0(id))
                    >> join >> split(8 / 4) >> map(asScalar) >> transpose >> increase2d(0, 0, 0, 4));
                let lb = tb >> toLocal(|t| t >> map(asVector(4)) >> join >> split(256) >> mapSeq(mapLcl0(id))
                    >> join >> split(128 / 4) >> map(asScalar));
                let rows = la >> map(|r| r >> split(4) >> split(32) >> transpose) >> transpose;
                let columns = lb >> map(|r| r >> asVector(4) >> split(8) >> transpose) >> transpose;
                let blocks = rows >> map(|r| columns >> map(|c| (r, c))) >> join;
                zip(acc, blocks) >> mapLcl0(|(block, (aBlock, bBlock))|
                    zip(aBlock, bBlock) >> reduceSeqUnroll(|sums, (av, bv)| {
                        let ap = av >> join >> asVector(4) >> toPrivate(mapSeq(id)) >> asScalar;
                        let bp = bv >> toPrivate(mapSeq(id));
                        zip(sums, ap) >> mapSeq(|(line, x)| zip(line, bp) >> mapSeq(|(s, y)| s + x * y))
                    }, block))
            }, generate(256, |i| generate(8, |p| repeat(16, 0) >> asVector(4))))
            >> mapLcl0(toGlobal(mapSeq(mapSeq(id)))) >> split(8)
            >> map(|r| r >> transpose >> map(|line| line >> transpose >> join >> asScalar) >> split(4)) >> transpose >> join >> join
        )) >> untile
    }
}

lift! {
    #[launch(local = 256)]
    fn mm_tiles_128x256<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
        where N % 128 == 0, M % 256 == 0, K % 8 == 0
    {
        a >> tile(128, 8) >> mapWrg1(|tilesOfA| b >> tile(8, 256) >> transpose >> mapWrg0(|tilesOfB|
            zip(tilesOfA, tilesOfB) >> reduceSeqPipelined(|acc, (ta, tb)| {
                let la = ta >> toLocal(|t| t >> map(asVector(4)) >> join >> split(256) >> mapSeq(mapLcl0(id))
                    >> join >> split(8 / 4) >> map(asScalar) >> transpose >> increase2d(0, 0, 0, 4));
                let lb = tb >> toLocal(|t| t >> map(asVector(4)) >> join >> split(256) >> mapSeq(mapLcl0(id))
                    >> join >> split(256 / 4) >> map(asScalar));
                let rows = la >> map(|r| r >> split(4) >> split(8) >> transpose) >> transpose;
                let columns = lb >> map(|r| r >> asVector(4) >> split(32) >> transpose) >> transpose;
                let blocks = rows >> map(|r| columns >> map(|c| (r, c))) >> join;
                zip(acc, blocks) >> mapLcl0(|(block, (aBlock, bBlock))|
                    zip(aBlock, bBlock) >> reduceSeqUnroll(|sums, (av, bv)| {
                        let ap = av >> join >> asVector(4) >> toPrivate(mapSeq(id)) >> asScalar;
                        let bp = bv >> toPrivate(mapSeq(id));
                        zip(sums, ap) >> mapSeq(|(line, x)| zip(line, bp) >> mapSeq(|(s, y)| s + x * y))
                    }, block))
            }, generate(256, |i| generate(16, |p| repeat(8, 0) >> asVector(4))))
            >> mapLcl0(toGlobal(mapSeq(mapSeq(id)))) >> split(32)
            >> map(|r| r >> transpose >> map(|line| line >> transpose >> join >> asScalar) >> split(4)) >> transpose >> join >> join
        )) >> untile
    }
}
