// Jacobi stencils in one and two dimensions, borders repeated.

lift! {
    fn line_high_level<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| dotProduct(nbh, [0.25, 0.5, 0.25]))
    }
    fn five_high_level<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n|
            (at(1, at(0, n)) + at(0, at(1, n)) + at(1, at(1, n)) + at(2, at(1, n)) + at(1, at(2, n))) * 0.2)
    }
    fn nine_high_level<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|n| (n >> join >> reduce(add, 0)) * (1.0 / 9.0))
    }
}

lift! {
    #[launch(local = 256, global = N)]
    fn line<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> mapGlb0(|nbh| zip(nbh, [0.25, 0.5, 0.25]) >> reduceSeqUnroll(|acc, (x, w)| acc + x * w, 0))
    }
}

lift! {
    #[launch(local = 256, global = N)]
    fn line_tiled<const N: usize>(a: [f32; N]) -> [f32; N] where N % 256 == 0 {
        a >> pad(1, 1, clamp) >> slide(258, 256) >> mapWrg0(|tile|
            tile >> toLocal(mapLcl0(id)) >> slide(3, 1)
                >> mapLcl0(|nbh| zip(nbh, [0.25, 0.5, 0.25]) >> reduceSeqUnroll(|acc, (x, w)| acc + x * w, 0) >> toGlobal(id))
        ) >> join
    }
}

lift! {
    #[launch(local = (32, 8), global = (M, N))]
    fn five<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> mapGlb1(mapGlb0(|n|
            (at(1, at(0, n)) + at(0, at(1, n)) + at(1, at(1, n)) + at(2, at(1, n)) + at(1, at(2, n))) * 0.2))
    }
}

lift! {
    #[launch(local = (32, 8), global = (M, N))]
    fn nine<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, clamp) >> slide2(3, 1) >> mapGlb1(mapGlb0(|n| (n >> join >> reduceSeqUnroll(add, 0)) * (1.0 / 9.0)))
    }
}

lift! {
    #[launch(local = (64, 4), global = (M / 4, N / 4))]
    fn five_rolling<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] where N % 4 == 0, M % 4 == 0 {
        a >> pad2(1, 1, clamp) >> map(slide(6, 4)) >> slide(6, 4) >> mapGlb1(|rows| rows >> transpose >> mapGlb0(|strip|
            strip >> map(|r| (r >> slice(0, 4) >> asVector(4) >> head, r >> slice(1, 4) >> asVector(4) >> head, r >> slice(2, 4) >> asVector(4) >> head))
                >> mapSeqSlide(|n| {
                    let above = at(0, n); let here = at(1, n); let below = at(2, n);
                    (above.1 + here.0 + here.1 + here.2 + below.1) * 0.2 }, 3, 1))
            >> transpose >> map(asScalar)) >> join
    }
}

lift! {
    #[launch(local = (64, 4), global = (M / 4, N / 4))]
    fn nine_rolling<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] where N % 4 == 0, M % 4 == 0 {
        a >> pad2(1, 1, clamp) >> map(slide(6, 4)) >> slide(6, 4) >> mapGlb1(|rows| rows >> transpose >> mapGlb0(|strip|
            strip >> map(|r| head(r >> slice(0, 4) >> asVector(4)) + head(r >> slice(1, 4) >> asVector(4)) + head(r >> slice(2, 4) >> asVector(4)))
                >> mapSeqSlide(|n| (at(0, n) + at(1, n) + at(2, n)) * (1.0 / 9.0), 3, 1))
            >> transpose >> map(asScalar)) >> join
    }
}

lift! {
    #[launch(local = 256, global = N / 4)]
    fn line_float4<const N: usize>(a: [f32; N]) -> [f32; N] where N % 4 == 0 {
        a >> pad(1, 1, clamp) >> slide(6, 4) >> mapGlb0(|w|
            zip(w >> slice(0, 4) >> asVector(4), w >> slice(1, 4) >> asVector(4), w >> slice(2, 4) >> asVector(4))
                >> mapSeq(|(left, here, right)| 0.25 * left + 0.5 * here + 0.25 * right) >> asScalar
        ) >> join
    }
}
