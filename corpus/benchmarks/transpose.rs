// The transposed matrix, directly and through tiles in local memory.

lift! {
    fn transpose_high_level<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; N]; M] { a >> transpose }
}

lift! {
    #[launch(local = (32, 8), global = (N, M))]
    fn transpose_naive<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; N]; M] {
        a >> transpose >> mapGlb1(mapGlb0(id))
    }
}

lift! {
    #[launch(local = (32, 8), global = (M, N / 4))]
    fn transpose_tiled<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; N]; M] where N % 32 == 0, M % 32 == 0 {
        a >> tile(32, 32) >> mapWrg1(mapWrg0(|t|
            t >> increase2d(0, 0, 0, 1) >> toLocal(mapLcl1(mapLcl0(id))) >> transpose >> mapLcl1(mapLcl0(toGlobal(id)))
        )) >> transpose >> untile
    }
}
