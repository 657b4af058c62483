// The product of a packed lower triangular matrix and a vector (Pizzuti, Steuwer, Dubach, FHPNC 2019).

lift! {
    fn trmv<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> map(|row| dotProduct(row, slice(0, len(row), v)))
    }
}

lift! {
    #[launch(local = 128, global = N)]
    fn trmv_items<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> mapGlb0(|row| zip(row, slice(0, len(row), v)) >> reduceSeq(|acc, (a, x)| acc + a * x, 0))
    }
}

lift! {
    #[launch(local = 64)]
    fn trmv_groups<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> mapWrg0(|row|
            generate(64, |l| generate((len(row) + 63 - l) / 64, |i| at(l + 64 * i, row) * at(l + 64 * i, v)))
                >> mapLcl0(|own| own >> reduceSeq(add, 0) >> toLocal(id))
                >> iterate(6, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

lift! {
    #[launch(local = 64)]
    fn trmv_long_rows_first<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> reverse >> mapWrg0(|row| {
            let vectors = zip(row >> slice(0, len(row) / 4 * 4) >> asVector(4), v >> slice(0, len(row) / 4 * 4) >> asVector(4));
            let shares = generate(64, |l| generate((len(row) / 4 + 63 - l) / 64, |i| at(l + 64 * i, vectors)));
            let rests = generate(64, |l| if l < len(row) % 4 { at(len(row) / 4 * 4 + l, row) * at(len(row) / 4 * 4 + l, v) } else { 0 });
            zip(shares, rests)
                >> mapLcl0(|(own, rest)| {
                    let sum = own >> reduceSeq(|acc, (a, x)| acc + a * x, 0);
                    (dot(sum, 1) + rest) >> toLocal(id)
                })
                >> iterate(6, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        }) >> join >> reverse
    }
}
