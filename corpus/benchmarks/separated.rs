// The 17+17 separated convolution (Hagedorn's thesis, sections 3.2.3 to 3.2.5): rows, columns in all their
// forms, and both.

lift! {
    fn rows_high_level<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N] {
        a >> pad2d(0, 0, 8, 8, clamp, clamp) >> slide2d(1, 1, 17, 1) >> map2(|nbh| dotProduct(join(nbh), w))
    }
    fn columns_high_level<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N] {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(17, 1, 1, 1) >> map2(|nbh| dotProduct(join(nbh), w))
    }
    fn both_high_level<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 2]) -> [[f32; M]; N] {
        a >> pad2d(0, 0, 8, 8, clamp, clamp) >> slide2d(1, 1, 17, 1) >> map2(|nbh| dotProduct(join(nbh), at(0, w)))
            >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(17, 1, 1, 1) >> map2(|nbh| dotProduct(join(nbh), at(1, w)))
    }
}

lift! {
    #[launch(local = (128, 1), global = (M, N))]
    fn conv_rows<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N]
        where M % 128 == 0
    {
        a >> pad2d(0, 0, 8, 8, clamp, clamp) >> slide2d(1, 1, 144, 128) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2d(1, 1, 17, 1) >> mapLcl1(mapLcl0(|nbh|
                zip(join(nbh), w) >> reduceSeqUnroll(|acc, (x, y)| acc + x * y, 0) >> toGlobal(id)))
        )) >> untile
    }
}

lift! {
    #[launch(local = (16, 8), global = (M, N / 8))]
    fn conv_columns<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N]
        where N % 64 == 0, M % 16 == 0
    {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(80, 64, 16, 16) >> mapWrg1(mapWrg0(|tile| {
            let weights = w >> toPrivate(mapSeqUnroll(id));
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2d(17, 1, 1, 1) >> mapLcl1(mapLcl0(|nbh|
                zip(join(nbh), weights) >> reduceSeqUnroll(|acc, (x, y)| acc + x * y, 0) >> toGlobal(id)))
        })) >> untile
    }
}

lift! {
    #[launch(local = (16, 8), global = (M, N / 8))]
    fn conv_transposed<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N]
        where N % 64 == 0, M % 16 == 0
    {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(80, 64, 16, 16) >> mapWrg1(mapWrg0(|tile|
            tile >> transpose >> toLocal(mapLcl0(mapLcl1(id))) >> transpose >> slide2d(17, 1, 1, 1) >> mapLcl1(mapLcl0(|nbh|
                zip(join(nbh), w) >> reduceSeqUnroll(|acc, (x, y)| acc + x * y, 0) >> toGlobal(id)))
        )) >> untile
    }
}

lift! {
    #[launch(local = (16, 8), global = (M, N / 8))]
    fn conv_padded<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N]
        where N % 64 == 0, M % 16 == 0
    {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(80, 64, 16, 16) >> mapWrg1(mapWrg0(|tile|
            tile >> transpose >> increase2d(0, 0, 0, 2) >> toLocal(mapLcl0(mapLcl1(id))) >> transpose >> slide2d(17, 1, 1, 1) >> mapLcl1(mapLcl0(|nbh|
                zip(join(nbh), w) >> reduceSeqUnroll(|acc, (x, y)| acc + x * y, 0) >> toGlobal(id)))
        )) >> untile
    }
}

lift! {
    #[launch(local = (16, 8), global = (M, N / 8))]
    fn conv_unrolled<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N]
        where N % 64 == 0, M % 16 == 0
    {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(80, 64, 16, 16) >> mapWrg1(mapWrg0(|tile| {
            let weights = w >> toPrivate(mapSeqUnroll(id));
            tile >> transpose >> increase2d(0, 0, 0, 2) >> map(split(8)) >> toLocal(mapLcl0(mapSeqUnroll(mapLcl1(id)))) >> map(join) >> transpose
                >> slide2d(17, 1, 1, 1) >> split(8) >> mapSeqUnroll(mapLcl1(mapLcl0(|nbh|
                zip(join(nbh), weights) >> reduceSeqUnroll(|acc, (x, y)| acc + x * y, 0) >> toGlobal(id)))) >> join
        })) >> untile
    }
}

lift! {
    #[launch(local = (128, 1), global = (M, N))]
    #[launch(local = (16, 8), global = (M, N / 8))]
    fn separable<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 2]) -> [[f32; M]; N]
        where M % 128 == 0, N % 64 == 0
    {
        let rows = a >> pad2d(0, 0, 8, 8, clamp, clamp) >> slide2d(1, 1, 144, 128) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2d(1, 1, 17, 1) >> mapLcl1(mapLcl0(|nbh|
                zip(join(nbh), at(0, w)) >> reduceSeqUnroll(|acc, (x, y)| acc + x * y, 0) >> toGlobal(id)))
        )) >> untile;
        rows >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(80, 64, 16, 16) >> mapWrg1(mapWrg0(|tile|
            tile >> transpose >> increase2d(0, 0, 0, 2) >> toLocal(mapLcl0(mapLcl1(id))) >> transpose >> slide2d(17, 1, 1, 1) >> mapLcl1(mapLcl0(|nbh|
                zip(join(nbh), at(1, w)) >> reduceSeqUnroll(|acc, (x, y)| acc + x * y, 0) >> toGlobal(id)))
        )) >> untile
    }
}

lift! {
    #[launch(local = (128, 4), global = (M, N / 16))]
    fn separable_one<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 2]) -> [[f32; M]; N]
        where M % 128 == 0, N % 64 == 0
    {
        a >> pad2(8, 8, clamp) >> slide2d(80, 64, 144, 128) >> mapWrg1(mapWrg0(|tile|
            tile >> map(slide(20, 4)) >> join >> split(128) >> split(4)
                >> toLocal(mapSeqUnroll(mapLcl1(mapLcl0(|window| {
                    let fours = window >> asVector(4) >> toPrivate(mapSeqUnroll(id)) >> asScalar >> slide(4, 1) >> map(asVector(4)) >> join;
                    zip(fours, at(0, w)) >> reduceSeqUnroll(|acc, (x, y)| acc + x * y, 0)
                }))))
                >> join >> join >> split(32) >> map(asScalar)
                >> transpose >> map(slide(32, 16)) >> transpose
                >> mapLcl1(mapLcl0(|window|
                    window >> toPrivate(mapSeqUnroll(id)) >> slide(17, 1)
                        >> mapSeqUnroll(|nbh| zip(nbh, at(1, w)) >> reduceSeqUnroll(|acc, (x, y)| acc + x * y, 0) >> toGlobal(id))))
                >> map(transpose) >> join
        )) >> untile
    }
}
