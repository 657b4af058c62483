// The programs of the papers as they are there, and high-level programs, a `lift!` each.

// CGO 2017, listing 1 and figures 6 and 7.

lift! {
    fn partial_dot<const N: usize>(x: [f32; 128 * N], y: [f32; 128 * N]) -> [f32; N] {
        zip(x, y) >> split(128) >> mapWrg0(|chunk|
            chunk >> split(2) >> mapLcl0(|p| p >> reduceSeq(|acc, (a, b)| acc + a * b, 0) >> toLocal(id))
                  >> iterate(6, |t| t >> split(2) >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                  >> mapLcl0(toGlobal(id))
        ) >> join
    }
}

lift! {
    fn dot<const N: usize>(x: [f32; N], y: [f32; N]) -> f32 { zip(x, y) >> map(mult) >> reduce(add, 0) }
}

lift! {
    fn transpose_gather<const N: usize, const M: usize>(x: [[f32; M]; N]) -> [[f32; N]; M] {
        x >> join >> gather(|i| i / N + (i % N) * M) >> split(N) >> mapWrg0(mapLcl0(id))
    }
}

lift! {
    fn gravity(p: (f32, f32, f32, f32), q: (f32, f32, f32, f32)) -> (f32, f32, f32) {
        let dx = q.0 - p.0; let dy = q.1 - p.1; let dz = q.2 - p.2;
        let r = rsqrt(dx * dx + dy * dy + dz * dz + 0.01);
        let s = q.3 * r * r * r;
        (dx * s, dy * s, dz * s)
    }
    fn add3(a: (f32, f32, f32), b: (f32, f32, f32)) -> (f32, f32, f32) { (a.0 + b.0, a.1 + b.1, a.2 + b.2) }
    fn nbody<const N: usize>(ps: [(f32, f32, f32, f32); N]) -> [(f32, f32, f32); N] {
        ps >> map(|p| ps >> map(|q| gravity(p, q)) >> reduce(add3, (0, 0, 0)))
    }
}

lift! {
    fn md<const N: usize, const K: usize>(x: [f32; N], near: [[i32; K]; N]) -> [f32; N] {
        zip(x, near) >> map(|p, row| row >> map(|j| { let d = at(j, x) - p; if d * d < 9 && d * d > 0 { 1 / (d * d) } else { 0 } }) >> reduce(add, 0))
    }
}

lift! {
    fn kmeans<const N: usize, const C: usize, const F: usize>(ps: [[f32; F]; N], cs: [[f32; F]; C]) -> [i32; N] {
        ps >> map(|p| zip(cs, generate(C, |c| c as i32))
            >> map(|q, c| (zip(p, q) >> map(|a, b| (a - b) * (a - b)) >> reduce(add, 0), c))
            >> reduceSeq(|best, x| if x.0 < best.0 { x } else { best }, (1000000.0, 0)) >> get(1))
    }
}

lift! {
    fn nn<const N: usize>(ps: [(f32, f32); N], lat: f32, lng: f32) -> [f32; N] {
        ps >> map(|a, b| sqrt((lat - a) * (lat - a) + (lng - b) * (lng - b)))
    }
}

lift! {
    fn mriq<const N: usize, const K: usize>(xs: [(f32, f32, f32); N], ks: [(f32, f32, f32, f32); K]) -> [(f32, f32); N] {
        xs >> map(|x| ks >> reduceSeq(|acc, k| {
            let angle = 6.2831855 * (k.0 * x.0 + k.1 * x.1 + k.2 * x.2);
            (acc.0 + k.3 * cos(angle), acc.1 + k.3 * sin(angle))
        }, (0, 0)))
    }
}

lift! {
    fn atax<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] {
        let t = a >> toGlobal(map(|row| dotProduct(row, x)));
        a >> transpose >> map(|col| dotProduct(col, t))
    }
}

lift! {
    fn gemv<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], x: [f32; M], y: [f32; N]) -> [f32; N] {
        zip(a, y) >> map(|row, v| alpha * dotProduct(row, x) + beta * v)
    }
}

lift! {
    fn gesummv<const N: usize>(alpha: f32, beta: f32, a: [[f32; N]; N], b: [[f32; N]; N], x: [f32; N]) -> [f32; N] {
        zip(a, b) >> map(|r, s| alpha * dotProduct(r, x) + beta * dotProduct(s, x))
    }
}

// Hagedorn's thesis and CGO 2018.

lift! {
    fn jacobi3<const N: usize>(a: [f32; N]) -> [f32; N] { map(reduceSeq(add, 0), slide(3, 1, pad(1, 1, clamp, a))) }
}

lift! {
    fn heat<const N: usize>(cs: [f32; 3], a: [f32; N]) -> [f32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(|nbh| zip(cs, nbh) >> map(mult) >> reduce(add, 0))
    }
}

lift! {
    fn jacobi9<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad2(1, 1, mirror) >> slide2(3, 1) >> map2(|nbh| nbh >> join >> reduce(add, 0))
    }
}

lift! {
    fn pad_and_slide<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[[[f32; 2]; 2]; M + 2]; N + 2] {
        a >> pad2d(1, 2, 1, 2, clamp, wrap) >> slide2d(2, 1, 2, 1)
    }
}

lift! {
    fn conv17<const N: usize, const M: usize>(a: [[f32; M]; N], w: [f32; 289]) -> [[f32; M]; N] {
        a >> pad2(8, 8, clamp) >> slide2(17, 1) >> mapGlb1(mapGlb0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeq(add, 0)))
    }
}

lift! {
    fn conv17_tiled<const N: usize, const M: usize>(a: [[f32; 16 * M]; 16 * N], w: [f32; 289]) -> [[f32; 16 * M]; 16 * N] {
        a >> pad2(8, 8, clamp) >> slide2(32, 16) >> mapWrg1(mapWrg0(|tile|
            tile >> slide2(17, 1) >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeq(add, 0))))) >> untile
    }
}

lift! {
    fn conv17_local<const N: usize, const M: usize>(a: [[f32; 16 * M]; 16 * N], w: [f32; 289]) -> [[f32; 16 * M]; 16 * N] {
        a >> pad2(8, 8, clamp) >> slide2(32, 16) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> slide2(17, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeq(add, 0) >> toGlobal(id))))) >> untile
    }
}

lift! {
    fn conv17_padded<const N: usize, const M: usize>(a: [[f32; 16 * M]; 16 * N], w: [f32; 289]) -> [[f32; 16 * M]; 16 * N] {
        a >> pad2(8, 8, clamp) >> slide2(32, 16) >> mapWrg1(mapWrg0(|tile|
            tile >> toLocal(mapLcl1(mapLcl0(id))) >> increase2d(0, 0, 0, 2) >> slide2(17, 1)
                 >> mapLcl1(mapLcl0(|nbh| zip(join(nbh), w) >> map(mult) >> reduceSeq(add, 0) >> toGlobal(id))))) >> untile
    }
}

lift! {
    fn jacobi3d7<const N: usize, const M: usize, const K: usize>(a: [[[f32; K]; M]; N]) -> [[[f32; K]; M]; N] {
        a >> pad3(1, 1, clamp) >> slide3(3, 1) >> map3(|n| {
            let c = at(1, at(1, n));
            0.1 * (at(1, c) + at(0, c) + at(2, c) + at(1, at(0, at(1, n))) + at(1, at(2, at(1, n))) + at(1, at(1, at(0, n))) + at(1, at(1, at(2, n))))
        })
    }
}

lift! {
    fn acoustic<const N: usize, const M: usize, const K: usize>(a: [[[f32; K]; M]; N], b: [[[f32; K]; M]; N]) -> [[[f32; K]; M]; N] {
        zip3(a >> padConstant3(1, 1, 0) >> slide3(3, 1), b) >> map3(|n, old| {
            let c = at(1, at(1, n));
            0.5 * (at(1, c) + at(0, c) + at(2, c)) - old
        })
    }
}

// CASES 2016 and GPGPU 2016.

lift! {
    fn mm<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> map(|row| b >> transpose >> map(|col| zip(row, col) >> map(mult) >> reduce(add, 0)))
    }
}

lift! {
    fn mm_tiled<const N: usize, const M: usize, const K: usize>(a: [[f32; 16 * K]; 16 * N], b: [[f32; 16 * M]; 16 * K]) -> [[f32; 16 * M]; 16 * N] {
        tile(16, 16, a) >> mapWrg1(|rows| b >> tile(16, 16) >> transpose >> mapWrg0(|cols|
            zip(rows, cols) >> reduceSeq(|acc, (ta, tb)| {
                let la = ta >> toLocal(mapLcl1(mapLcl0(id)));
                let lb = tb >> toLocal(mapLcl1(mapLcl0(id)));
                zip(acc, la) >> mapLcl1(|sums, row| zip(sums, transpose(lb)) >> mapLcl0(|s, col| zip(row, col) >> reduceSeq(|t, (x, y)| t + x * y, s)))
            }, generate(16, |i| generate(16, |j| 0.0))) >> mapLcl1(mapLcl0(toGlobal(id))))) >> untile
    }
}

// High-level programs.

lift! {
    fn row_sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] { a >> map(reduce(add, 0)) }
}

lift! {
    fn column_sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; M] { a >> transpose >> map(reduce(add, 0)) }
}

lift! {
    fn softmax<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| { let m = reduce(max, -1e30, row); let s = row >> map(|x| exp(x - m)) >> reduce(add, 0); map(|x| exp(x - m) / s, row) })
    }
}

lift! {
    fn layer_norm<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| {
            let mean = reduce(add, 0, row) / (M as f32);
            let variance = (row >> map(|x| (x - mean) * (x - mean)) >> reduce(add, 0)) / (M as f32);
            map(|x| (x - mean) * rsqrt(variance + 0.00001), row)
        })
    }
}

lift! {
    fn prefix_sum<const N: usize>(a: [f32; N]) -> [f32; N] { a >> scanInclusive(add) }
}

lift! {
    fn histogram<const N: usize>(a: [i32; N]) -> [i32; 256] {
        generate(256, |b| a >> map(|x| if x == (b as i32) { 1 } else { 0 }) >> reduce(add, 0))
    }
}

lift! {
    fn mandelbrot(n: size) -> [[i32; n]; n] {
        generate(n, |y| generate(n, |x| {
            let cr = (x as f32) / (n as f32) * 3 - 2; let ci = (y as f32) / (n as f32) * 2 - 1;
            generate(100, |k| k) >> reduceSeq(|z, k| { let (r, i, c) = z; if r * r + i * i < 4 { (r * r - i * i + cr, 2 * r * i + ci, c + 1) } else { (r, i, c) } }, (0.0, 0.0, 0)) >> get(2)
        }))
    }
}

lift! {
    fn cnd(x: f32) -> f32 {
        let k = 1 / (1 + 0.2316419 * abs(x));
        let w = 1 - 0.39894228 * exp(-x * x / 2) * k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
        if x < 0 { 1 - w } else { w }
    }
    fn black_scholes<const N: usize>(options: [(f32, f32, f32); N], r: f32, v: f32) -> [(f32, f32); N] {
        options >> map(|s, x, t| {
            let d1 = (log(s / x) + (r + v * v / 2) * t) / (v * sqrt(t)); let d2 = d1 - v * sqrt(t);
            let e = x * exp(-r * t);
            (s * cnd(d1) - e * cnd(d2), e * cnd(-d2) - s * cnd(-d1))
        })
    }
}

lift! {
    fn batched<const B: usize>(a: [[[f32; 4]; 4]; B], b: [[[f32; 4]; 4]; B]) -> [[[f32; 4]; 4]; B] {
        zip(a, b) >> map(|x, y| x >> map(|row| transpose(y) >> map(|col| dotProduct(row, col))))
    }
}

lift! {
    fn max_pool<const N: usize, const M: usize>(a: [[f32; 2 * M]; 2 * N]) -> [[f32; M]; N] {
        a >> slide2(2, 2) >> map2(|w| w >> join >> reduce(max, -1e30))
    }
}

lift! {
    fn dot_of_vectors<const N: usize>(x: [f32; 4 * N], y: [f32; 4 * N]) -> [f32; N] {
        zip(asVector(4, x), asVector(4, y)) >> map(|a, b| a.dot(b))
    }
}

// FHPNC 2019.

lift! {
    fn trmv<const N: usize>(m: [i => [f32; i + 1]; N], v: [f32; N]) -> [f32; N] {
        m >> map(|row| zip(row, slice(0, len(row), v)) >> map(mult) >> reduce(add, 0))
    }
}

lift! {
    fn partitioned(a: [f32; 6]) -> [f32; 6] { a >> partition(3, |i| i + 1) >> join }
}

lift! {
    fn sections<const N: usize>(a: [f32; N]) -> [f32; N] where N >= 4 {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> partition(3, caseSplit(1, N - 2, 1)) >> mapSeqUnroll(mapGlb0(reduceSeq(add, 0))) >> join
    }
}
