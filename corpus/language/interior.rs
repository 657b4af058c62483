// Code for the interior beside that for the border, windows that roll through a reduction, and a launch for
// each kernel.

lift! {
    fn clamped<const N: usize>(a: [f32; N]) -> [f32; N] where N % 8 == 0 {
        a >> pad(4, 4, clamp) >> slide(16, 8) >> mapWrg0(|tile| tile >> asVector(4) >> toLocal(mapLcl0(id)) >> asScalar
            >> slide(9, 1) >> mapLcl0(|nbh| nbh >> reduceSeq(add, 0) >> toGlobal(id))) >> join
    }

    fn mirrored<const N: usize>(a: [f32; N]) -> [f32; N] where N % 8 == 0 {
        a >> pad(4, 4, mirror) >> slide(16, 8) >> mapWrg0(|tile| tile >> asVector(4) >> toLocal(mapLcl0(id)) >> asScalar
            >> slide(9, 1) >> mapLcl0(|nbh| nbh >> reduceSeq(add, 0) >> toGlobal(id))) >> join
    }

    fn wrapped<const N: usize>(a: [f32; N]) -> [f32; N] where N % 8 == 0 {
        a >> pad(4, 4, wrap) >> slide(16, 8) >> mapWrg0(|tile| tile >> asVector(4) >> toLocal(mapLcl0(id)) >> asScalar
            >> slide(9, 1) >> mapLcl0(|nbh| nbh >> reduceSeq(add, 0) >> toGlobal(id))) >> join
    }

    /// The border is wider than small arrays.
    fn wide<const N: usize>(a: [f32; N]) -> [f32; N] {
        a >> pad(20, 20, wrap) >> slide(41, 1) >> mapGlb0(reduceSeq(add, 0))
    }

    /// Every element of a row is loaded once.
    fn rolled<const N: usize, const M: usize>(a: [[f32; N + 2]; M], w: [f32; N]) -> [f32; M] where N >= 1 {
        a >> mapGlb0(|row| zip(row >> mapSeqSlide(|nbh| nbh, 3, 1), w)
            >> reduceSeq(|sum, (nbh, x)| sum + x * (at(0, nbh) + 2 * at(1, nbh) - at(2, nbh)), 0))
    }

    #[launch(local = 4)]
    #[launch(local = 2)]
    fn in_two_kernels<const N: usize>(a: [f32; N]) -> [f32; N] {
        let squares = a >> mapGlb0(|x| x * x);
        squares >> pad(1, 1, clamp) >> slide(3, 1) >> mapGlb0(reduceSeq(add, 0))
    }
}
