// The 17x17 convolution (Hagedorn's thesis, section 3.2), borders repeated.

lift! {
    fn conv<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1) >> map2(|nbh| dotProduct(join(nbh), join(w)))
    }
}

lift! {
    #[launch(local = (16, 16), global = (M, N))]
    fn conv_naive<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1) >> mapGlb1(mapGlb0(|nbh|
            zip(join(nbh), join(w)) >> reduceSeq(|acc, (x, y)| acc + x * y, 0)))
    }
}

lift! {
    #[launch(local = (16, 16), global = (M, N))]
    fn conv_tiled<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N]
        where N % 16 == 0, M % 16 == 0
    {
        a >> pad2(8, 8, clamp) >> slide2(32, 16) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2(17, 1) >> mapLcl1(mapLcl0(|nbh|
                zip(join(nbh), join(w)) >> reduceSeq(|acc, (x, y)| acc + x * y, 0) >> toGlobal(id)))
        )) >> untile
    }
}

lift! {
    #[launch(local = (8, 16), global = (M / 8, N / 4))]
    fn conv_registers<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N]
        where N % 64 == 0, M % 64 == 0
    {
        a >> pad2(8, 8, clamp) >> slide2(80, 64) >> mapWrg1(mapWrg0(|tile| {
            let weights = w >> map(padConstant(0, 3, 0)) >> toLocal(mapLcl1(mapLcl0(id)));
            tile >> map(asVector(4)) >> join >> split(8) >> toLocal(mapLcl1(mapLcl0(id))) >> join >> asScalar >> split(80)
                >> slide2d(20, 4, 24, 8) >> mapLcl1(mapLcl0(|block|
                // Row `i` of the block is row `i - r` of the neighbourhood of its result row `r`.
                zip(block >> map(asVector(4)), generate(20, |i| i)) >> reduceSeq(|acc, (vectors, i)| {
                    let row = vectors >> toPrivate(mapSeqUnroll(id)) >> asScalar;
                    zip(acc, generate(4, |r| r)) >> mapSeqUnroll(|(sums, r)| {
                        let line = at(i - r, weights) >> asVector(4) >> toPrivate(mapSeqUnroll(id)) >> asScalar >> slice(0, 17);
                        zip(sums, row >> slide(17, 1)) >> mapSeqUnroll(|(sum, window)|
                            if r <= i && i - r < 17 { zip(window, line) >> reduceSeqUnroll(|s, (x, y)| s + x * y, sum) } else { sum })
                        })
                    },
                    generate(4, |i| generate(8, |j| 0.0)))
                >> map(asVector(4)) >> toGlobal(mapSeqUnroll(mapSeqUnroll(id))) >> map(asScalar)
            )) >> untile
        })) >> untile
    }
}
