// The 17x17 convolution in every form of Hagedorn's thesis, section 3.2, on tiles that are small enough for a
// simulator.

lift! {
    fn high_level<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1) >> map2(|nbh| zip(join(nbh), join(w)) >> map(mult) >> reduce(add, 0))
    }

    fn naive<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1)
          >> mapGlb1(mapGlb0(|nbh| zip(join(nbh), join(w)) >> map(mult) >> reduceSeq(add, 0)))
    }

    fn tiled<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N]
    where N % 16 == 0, M % 16 == 0
    {
        a >> pad2(8, 8, clamp) >> slide2(32, 16) >> mapWrg1(mapWrg0(|tile|
            tile >> slide2(17, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), join(w)) >> map(mult) >> reduceSeq(add, 0)))
        )) >> untile
    }

    fn local<const N: usize, const M: usize>(a: [[f32; M]; N], w: [[f32; 17]; 17]) -> [[f32; M]; N]
    where N % 16 == 0, M % 16 == 0
    {
        a >> pad2(8, 8, clamp) >> slide2(32, 16) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2(17, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), join(w)) >> map(mult) >> reduceSeq(add, 0) >> toGlobal(id)))
        )) >> untile
    }

    /// The separated convolution from its high-level form.
    fn separated<const N: usize, const M: usize>(a: [[f32; M]; N], wy: [f32; 17], wx: [f32; 17]) -> [[f32; M]; N] {
        a >> pad2d(0, 0, 8, 8, clamp, clamp) >> slide2d(1, 1, 17, 1)
          >> map2(|nbh| zip(join(nbh), wx) >> map(mult) >> reduce(add, 0))
          >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(17, 1, 1, 1)
          >> map2(|nbh| zip(join(nbh), wy) >> map(mult) >> reduce(add, 0))
    }

    fn rows<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N] where M % 32 == 0 {
        a >> pad2d(0, 0, 8, 8, clamp, clamp) >> slide2d(1, 1, 48, 32) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2d(1, 1, 17, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeq(add, 0) >> toGlobal(id)))
        )) >> untile
    }

    /// Tiles of one column.
    fn columns<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N] where N % 32 == 0 {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(48, 32, 1, 1) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2d(17, 1, 1, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeq(add, 0) >> toGlobal(id)))
        )) >> untile
    }

    /// Tiles of several columns: coalesced loads.
    fn coalesced<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N]
    where N % 32 == 0, M % 8 == 0
    {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(48, 32, 8, 8) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2d(17, 1, 1, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeq(add, 0) >> toGlobal(id)))
        )) >> untile
    }

    fn transposed<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N]
    where N % 32 == 0, M % 8 == 0
    {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(48, 32, 8, 8) >> mapWrg1(mapWrg0(|tile|
            tile >> transpose >> toLocal(mapLcl0(mapLcl1(id))) >> transpose >> slide2d(17, 1, 1, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeq(add, 0) >> toGlobal(id)))
        )) >> untile
    }

    /// A longer pitch of the local buffer: no bank conflicts.
    fn padded<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N]
    where N % 32 == 0, M % 8 == 0
    {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(48, 32, 8, 8) >> mapWrg1(mapWrg0(|tile|
            tile >> transpose >> increase2d(0, 0, 0, 2) >> toLocal(mapLcl0(mapLcl1(id))) >> transpose >> slide2d(17, 1, 1, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeq(add, 0) >> toGlobal(id)))
        )) >> untile
    }

    /// The same, spelled as in the thesis: the increase inside of what is stored.
    fn padded_inside<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N]
    where N % 32 == 0, M % 8 == 0
    {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(48, 32, 8, 8) >> mapWrg1(mapWrg0(|tile|
            tile >> transpose >> toLocal(increase2d(0, 0, 0, 2) >> mapLcl0(mapLcl1(id))) >> transpose >> slide2d(17, 1, 1, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeq(add, 0) >> toGlobal(id)))
        )) >> untile
    }

    /// Every column is loaded in six steps of eight work-items; only the first and the last one can cross the
    /// border.
    fn unrolled<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 17]) -> [[f32; M]; N]
    where N % 32 == 0, M % 8 == 0
    {
        a >> pad2d(8, 8, 0, 0, clamp, clamp) >> slide2d(48, 32, 8, 8) >> mapWrg1(mapWrg0(|tile|
            tile >> transpose >> map(split(8)) >> toLocal(mapLcl0(mapSeqUnroll(mapLcl1(id)))) >> map(join) >> transpose
                 >> slide2d(17, 1, 1, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeqUnroll(add, 0) >> toGlobal(id)))
        )) >> untile
    }
}
