// Gravitational accelerations between all pairs of bodies.

lift! {
    fn attract(acc: f32x4, d: f32x4, squared: f32, mass: f32) -> f32x4 {
        let inverse = native_rsqrt(squared + 0.01);
        acc + d * (mass * inverse * inverse * inverse)
    }
    fn pull(p: (f32, f32, f32), q: (f32, f32, f32, f32)) -> (f32, f32, f32) {
        let x = q.0 - p.0; let y = q.1 - p.1; let z = q.2 - p.2;
        let inverse = native_rsqrt(x * x + y * y + z * z + 0.01);
        let factor = q.3 * inverse * inverse * inverse;
        (x * factor, y * factor, z * factor)
    }
    fn sum(a: (f32, f32, f32), b: (f32, f32, f32)) -> (f32, f32, f32) { (a.0 + b.0, a.1 + b.1, a.2 + b.2) }
    fn nbody_high_level<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] {
        bodies >> map(|p| {
            let s = bodies >> map(|q| pull((at(0, p), at(1, p), at(2, p)), (at(0, q), at(1, q), at(2, q), at(3, q)))) >> reduce(sum, (0, 0, 0));
            [s.0, s.1, s.2, 0]
        })
    }
    #[launch(local = 256, global = N)]
    fn nbody_flat<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] where N % 256 == 0 {
        bodies >> map(asVector(4)) >> mapGlb0(|own| {
            let p = own >> toPrivate(mapSeq(id)) >> head;
            let sum = bodies >> map(asVector(4)) >> reduceSeq(|acc, other| {
                let q = other >> toPrivate(mapSeq(id));
                let d = head(q) - p;
                let c = [d] >> asScalar;
                attract(acc, d, at(0, c) * at(0, c) + at(1, c) * at(1, c) + at(2, c) * at(2, c), q >> asScalar >> last)
            }, 0) ;
            let s = [sum] >> asScalar;
            [at(0, s), at(1, s), at(2, s), 0] >> asVector(4) >> toGlobal(mapSeq(id))
        }) >> map(asScalar)
    }
    #[launch(local = 256, global = N)]
    fn nbody_tiled<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] where N % 256 == 0 {
        bodies >> map(asVector(4)) >> split(256) >> mapWrg0(|group| {
            let own = group >> toPrivate(mapLcl0(mapSeq(id)));
            bodies >> map(asVector(4)) >> split(256) >> reduceSeq(|sums, tile| {
                let others = tile >> toLocal(mapLcl0(mapSeq(id)));
                zip(own, sums) >> mapLcl0(|(p, sum)|
                    others >> reduceSeq(|acc, other| {
                        let q = other >> toPrivate(mapSeq(id));
                        let d = head(q) - head(p);
                        let c = [d] >> asScalar;
                        attract(acc, d, at(0, c) * at(0, c) + at(1, c) * at(1, c) + at(2, c) * at(2, c), q >> asScalar >> last)
                    }, sum))
            }, repeat(256, repeat(4, 0) >> asVector(4) >> head))
                >> mapLcl0(|sum| { let s = [sum] >> asScalar; [at(0, s), at(1, s), at(2, s), 0] >> asVector(4) >> toGlobal(mapSeq(id)) })
        }) >> join >> map(asScalar)
    }

    #[launch(local = (32, 8), global = (N / 4, 8))]
    fn nbody_sliced<const N: usize>(bodies: [[f32; 4]; N]) -> [[f32; 4]; N] where N % 256 == 0 {
        bodies >> map(asVector(4)) >> split(128) >> mapWrg0(|group| {
            let own = group >> split(32) >> transpose >> toPrivate(mapLcl0(mapSeq(mapSeq(id))));
            let parts = bodies >> map(asVector(4)) >> split(256) >> reduceSeq(|sums, tile| {
                    let others = tile >> split(32) >> toLocal(mapLcl1(mapLcl0(mapSeq(id))));
                    zip(sums, others) >> mapLcl1(|(slice, others)|
                        zip(slice, own) >> mapLcl0(|(acc, four)|
                            others >> split(8) >> reduceSeq(|sums, eight| eight >> reduceSeqUnroll(|acc, other| {
                                let q = other >> toPrivate(mapSeq(id));
                                zip(acc, four) >> mapSeqUnroll(|(sum, p)| {
                                    let d = head(q) - head(p);
                                    let c = [d] >> asScalar;
                                    attract(sum, d, at(0, c) * at(0, c) + at(1, c) * at(1, c) + at(2, c) * at(2, c), q >> asScalar >> last)
                                })
                            }, sums), acc)))
                }, repeat(8, repeat(32, repeat(16, 0) >> asVector(4))))
                >> toLocal(mapLcl1(mapLcl0(mapSeqUnroll(id))));
            parts >> map(transpose >> join) >> transpose >> split(32) >> mapLcl1(mapLcl0(|slices| {
                let s = [slices >> reduceSeqUnroll(add, 0)] >> asScalar;
                [at(0, s), at(1, s), at(2, s), 0] >> asVector(4) >> toGlobal(mapSeq(id))
            })) >> join
        }) >> join >> map(asScalar)
    }
}
