// The dot product, and its first stage as in figure 7 of Steuwer et al., CGO 2017.

lift! {
    fn partial_dot<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; N / 128] where N % 128 == 0 {
        zip(x, y) >> split(128) >> mapWrg0(|chunk|
            chunk >> split(2) >> mapLcl0(|p| p >> reduceSeq(|acc, (a, b)| acc + a * b, 0) >> toLocal(id))
                >> iterate(6, |t| t >> split(2) >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

lift! {
    fn dot_high_level<const N: usize>(x: [f32; N], y: [f32; N]) -> f32 { zip(x, y) >> map(mult) >> reduce(add, 0) }
}

lift! {
    fn partial_dot_high_level<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; N / 128] where N % 128 == 0 {
        zip(x, y) >> split(128) >> map(|chunk| chunk >> map(mult) >> reduce(add, 0))
    }
}

lift! {
    #[launch(local = 256)]
    fn dot_chunks<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; 1] where N % 131072 == 0 {
        zip(x, y) >> split(N / 512) >> mapWrg0(|chunk|
            chunk >> split(256) >> transpose
                >> mapLcl0(|own| own >> reduceSeq(|acc, (a, b)| acc + a * b, 0) >> toLocal(id))
                >> iterate(8, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join >> split(512) >> mapWrg0(|sums|
            sums >> split(256) >> transpose
                >> mapLcl0(|own| own >> reduceSeq(add, 0) >> toLocal(id))
                >> iterate(8, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

lift! {
    #[launch(local = 256)]
    fn dot_strided<const N: usize>(x: [f32; N], y: [f32; N]) -> [f32; 1] where N % 524288 == 0 {
        zip(x >> asVector(4), y >> asVector(4)) >> split(131072) >> transpose >> split(256) >> mapWrg0(|group|
            group >> mapLcl0(|own| {
                    let sum = own >> reduceSeq(|acc, (a, b)| acc + a * b, 0);
                    dot(sum, 1) >> toLocal(id)
                })
                >> iterate(8, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join >> split(512) >> mapWrg0(|sums|
            sums >> split(256) >> transpose
                >> mapLcl0(|own| own >> reduceSeq(add, 0) >> toLocal(id))
                >> iterate(8, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join
    }
}
