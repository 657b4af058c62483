// The matrix-vector product.

lift! {
    fn matrix_vector<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> map(|row| dotProduct(row, x))
    }
}

lift! {
    #[launch(local = 128, global = N)]
    fn row_per_item<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> mapGlb0(|row| zip(row, x) >> reduceSeq(|acc, (a, x)| acc + a * x, 0))
    }
}

lift! {
    #[launch(local = 128)]
    fn row_per_group<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] where M % 128 == 0 {
        a >> mapWrg0(|row|
            zip(row, x) >> split(128) >> transpose
                >> mapLcl0(|own| own >> reduceSeq(|acc, (a, x)| acc + a * x, 0) >> toLocal(id))
                >> iterate(7, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

lift! {
    #[launch(local = 128)]
    fn row_per_group_float4<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] where M % 512 == 0 {
        a >> mapWrg0(|row|
            zip(row >> asVector(4), x >> asVector(4)) >> split(128) >> transpose
                >> mapLcl0(|own| {
                    let sum = own >> reduceSeq(|acc, (a, x)| acc + a * x, 0);
                    dot(sum, 1) >> toLocal(id)
                })
                >> iterate(7, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}
