// The matrix product, naive and with blocks in registers.

lift! {
    fn mm<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> map(|row| b >> transpose >> map(|column| dotProduct(row, column)))
    }
}

lift! {
    #[launch(local = (32, 8), global = (M, N))]
    fn mm_naive<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> mapGlb1(|row| b >> transpose >> mapGlb0(|column| zip(row, column) >> reduceSeq(|acc, (x, y)| acc + x * y, 0)))
    }
}

lift! {
    #[launch(local = (16, 8), global = (M / 4, N / 4))]
    fn mm_registers<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]
        where N % 4 == 0, M % 4 == 0, K % 4 == 0
    {
        a >> split(4) >> mapGlb1(|rows| b >> map(asVector(4)) >> transpose >> mapGlb0(|column|
            zip(rows >> map(split(4)) >> transpose, column >> split(4)) >> reduceSeq(|sums, (block, four)| {
                let rows = block >> map(asVector(4)) >> toPrivate(mapSeq(mapSeq(id))) >> map(asScalar);
                let columns = four >> toPrivate(mapSeq(id));
                zip(sums, rows) >> mapSeqUnroll(|(sum, row)| {
                    let products = zip(row, columns) >> map(|(x, y)| x * y);
                    sum + (products >> reduceSeqUnroll(add, 0)) })
                }, repeat(16, 0) >> asVector(4))
        ) >> transpose >> map(asScalar)) >> join
    }
}
