// `A^T (A x)`, the product with the matrix of normal equations (`atax` of the BLAS benchmarks).

lift! {
    fn atax<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] {
        let y = a >> map(|row| dotProduct(row, x));
        a >> transpose >> map(|column| dotProduct(column, y))
    }
}

lift! {
    #[launch(local = 128)]
    fn atax_naive<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] {
        let y = a >> mapGlb0(|row| zip(row, x) >> reduceSeq(|acc, (a, x)| acc + a * x, 0) >> toGlobal(id));
        a >> transpose >> mapGlb0(|column| zip(column, y) >> reduceSeq(|acc, (a, y)| acc + a * y, 0))
    }
}

lift! {
    fn atax_groups<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] where M % 512 == 0, N % 64 == 0 {
        let y = a >> mapWrg0(|row|
            zip(row >> asVector(4), x >> asVector(4)) >> split(128) >> transpose
                >> mapLcl0(|own| {
                    let sum = own >> reduceSeq(|acc, (a, x)| acc + a * x, 0);
                    dot(sum, 1) >> toLocal(id)
                })
                >> iterate(7, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join;
        zip(a >> split(N / 64), y >> split(N / 64))
            >> mapWrg1(|(rows, ys)| rows >> map(asVector(4)) >> transpose >> split(64)
                >> mapWrg0(mapLcl0(|column| zip(column, ys) >> reduceSeq(|acc, (a, y)| acc + a * y, 0) >> toGlobal(id))) >> join >> asScalar)
            >> transpose >> mapGlb0(|sums| sums >> reduceSeq(add, 0))
    }
}

lift! {
    #[launch(local = 512)]
    fn atax_one_pass<const N: usize>(a: [[f32; 8192]; N], x: [f32; 8192]) -> [f32; 8192] where N % 256 == 0 {
        a >> split(2) >> split(128) >> transpose >> mapWrg0(|pairs| {
            let xs = x >> asVector(4) >> split(512) >> transpose >> mapLcl0(toPrivate(mapSeq(id)));
            pairs >> reduceSeqPipelined(|sums, pair| {
                    let own = pair >> map(|row| row >> asVector(4) >> split(512) >> transpose) >> transpose
                        >> mapLcl0(toPrivate(mapSeq(mapSeq(id))));
                    let products = toLocal(|own| zip(own, xs)
                        >> mapLcl0(|(rows, x)| rows >> mapSeq(|row| {
                            let sum = zip(row, x) >> reduceSeq(|acc, (r, x)| acc + r * x, 0);
                            dot(sum, 1)
                        })) >> transpose, own);
                    let parts = products >> map(|row| row >> split(16) >> transpose) >> join
                        >> mapLcl0(|p| p >> reduceSeqUnroll(add, 0) >> toLocal(id)) >> split(16);
                    zip(sums, own) >> mapLcl0(|(s, rows)|
                        zip(rows, parts) >> reduceSeqUnroll(|s, (row, part)| {
                            let y = dot(part >> asVector(4) >> reduceSeqUnroll(add, 0), 1);
                            zip(s, row) >> mapSeq(|(s, r)| s + y * r)
                        }, s))
                }, repeat(512, repeat(16, 0) >> asVector(4)))
                >> mapLcl0(toGlobal(mapSeq(id))) >> transpose >> join >> asScalar
        }) >> transpose >> mapGlb0(|sums| sums >> reduceSeq(add, 0))
    }
}
