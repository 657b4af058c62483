//! Random programs of a few seeds, as the generator made them when these seeds were in question: generators
//! change, these texts do not.

/// The high-level, the low-level and the repeated program of the seeds 200061, 700112 and 701679, the
/// low-level one of the seed 220, and one made like that, in which a work-item of a group makes rows of any
/// length for itself. The last ones, which no seed made, pass single values and rows from kernel to kernel,
/// divide two maps of one result, and compare vectors with a comparison.
pub const PINNED: [&str; 33] = [
    "|a: [f32; 16], b: i32| map(|x1| { let s3 = (-clampv(x1, -5, 5)); ((s3 + x1) - s3) }, a)",
    "|a: [f32; 16], b: i32| scatter(rotate(2), mapGlb1(|x1| at(max(b, (b / 1)), a), a) >> asVector(8))",
    "|a: [i32; 8]| a >> reverse >> iterate(1, |t| { let s = reduce(add, 0, t); let u = t >> iterate(2, |u| u >> reverse >> map(|x| x + 1)) >> reverse; u >> slide(2, 1) >> map(|w| at(1, w) - at(0, w)) >> map(|x| x - 2) >> map(|x| x + s % 5) }) >> map(|x| x + 3)",
    "#[launch(local = (8, 2))] fn program<>(a: [[i32; 16]; 4]) -> [[[i32; 16]; 4]; 1] { { let v2 = map2(|x1| (x1 + (max(x1, x1) - 0)), a); v2 >> split(4) } }",
    "|a: [[i32; 16]; 4]| reduceSeqPipelined(|acc, row| zip(acc >> reverse, row) >> mapSeq(add), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], concat(a, slice(3, 1, a)))",
    "|a: [i32; 20]| a >> gather(rotate(1)) >> iterate(1, |t| { let s = reduce(add, 0, t); let u = t >> iterate(2, |u| u >> reverse >> map(|x| x + 1)); u >> slide(2, 1) >> map(|w| at(1, w) - at(0, w)) >> map(|x| x + s % 5) }) >> map(|x| x + 3)",
    "|a: [[[f32; N]; M]; 30], b: i32| a >> map(repeat(3) >> slide(2, 1) >> map(|r2| r2 >> map2(|r3| tile(1, 1, split(1, reverse(zip(r3, reverse(r3)) >> map(|t4| t4.1)) >> map(|x5| x5))))))",
    "|a: [[[f32; N]; M]; 30], b: i32| increase(0, 0, a >> mapWrg1(|r1| r1 >> split(5) >> map(slide(1, 2)) >> mapLcl0(|r8| scatter(rotate(0), r8) >> pad(1, 2, mirror) >> mapLcl2(|r9| r9 >> map(|r10| zip(r10, generate(N, |i| (i % 3) as f32)) >> mapSeq(|x12, x13| min(x13, (6f32 + max(x13, x13)))))) >> join)))",
    "|a: [i32; 20]| a >> map(|x| x * 2 - 1) >> iterate(1, |t| { let s = reduce(add, 0, t); let u = t >> iterate(2, |u| u >> reverse >> map(|x| x + 1)); u >> pad(1, 1, clamp) >> map(|x| x + 1) >> map(|x| x + s % 5) })",
    "|a: [[[f64; N]; M]; M]| a >> mapWrg1(|r1| split(1)(mapLcl0(|r10| join(split(1)(map(|r11| r11 >> mapSeq(|x12| ((if (!((x12 as i64) < 5)) { (x12 + 1) } else { { let s1 = x12; ((s1 + x12) - s1) } }) - x12)), r10))), split(1, r1 >> gather(reverse))))) >> mapGlb0(|r17| r17 >> pad(0, 1, |i, n| 0) >> map(|r23| r23 >> scatter(rotate(0)) >> reverse >> mapSeq(|r26| r26 >> mapSeq(|r27| r27 >> mapSeq(id)))))",
    "|a: [[[i32; N]; M]; M]| a >> mapWrg0(mapLcl1(|q| q >> mapSeq(|x| x + 1) >> pad(1, 1, clamp) >> mapLcl0(|x| x * 2)))",
    "|a: [i32; N], i: i32| { let s = at(i, a); let b = a >> toGlobal(mapGlb0(|x| x + s)); b >> reverse >> mapGlb0(|x| x * s) }",
    "|a: [i32; N]| { let s = a >> reduceSeq(|s, x| s * 2 + x, 0); let b = a >> toGlobal(mapGlb0(|x| x + s)); let t = b >> reduceSeq(|s, x| s * 2 + x, s); let c = b >> reverse >> toGlobal(mapGlb0(|x| x * s + t)); c >> reverse >> mapGlb0(|x| x - s - t) }",
    "|a: [i32; N], i: i32| { let s = if at(i, a) > 0 { at(i + 1, a) } else { 3 }; a >> iterate(5, |t| { let u = t >> toGlobal(mapGlb0(|x| x + s)); u >> reverse >> mapGlb0(|x| x * s) }) }",
    "|a: [i32; N], i: i32, z: i32| { let k = z * 2 + 1; let s = at(i, a) * k; let b = a >> scanInclusive(add); let t = at(i, b) + s; let c = b >> map(|x| x * t) >> scanInclusive(add); let v = (c >> reduce(max, 0)) - t * k; zip(b, c) >> map(|(x, y)| x * s + y * v - t) }",
    "|a: [i32; N], i: i32| { let s = at(i, a); a >> iterate(5, |t| { let m = (t >> reduce(max, 0)) + s; let u = t >> scanInclusive(add); u >> map(|x| x - m + s) }) }",
    "|a: [i32; N], i: i32| { let s = at(i, a); let b = a >> mapGlb0(|x| x + s); b >> reverse >> mapGlb0(|x| x * s) }",
    "|a: [i32; N], i: i32| { let s = at(i, a); a >> mapGlb0(|x| x + s) >> reverse >> mapGlb0(|x| x * s) }",
    "|a: [i32; N], i: i32| { let s = a >> reduceSeq(|s, x| s * 2 + x, 0); let t = at(i, a) + s; let b = a >> mapWrg0(|x| x + s); let c = zip(b >> mapGlb0(|x| x * t), b) >> reverse; c >> map(|x, y| x + y * t - s) }",
    "|a: [i32; N]| zip(a, generate(N, |i| i as i64)) >> map(|x, i| if i < 9223372036854775807 && (i as u64) < 18446744073709551615 && i > -9223372036854775807 { x } else { 0 })",
    "|a: [[[f32; K]; K]; K]| a >> reverse >> mapGlb0(|r1| mapGlb1(|r2| { let v3 = r2 >> gather(stride(3)) >> repeat(1); v3 >> mapSeq(|r4| r4 >> mapSeq(|x5| at(((x5 as i32) + (x5 as i32)), r2)) >> (partition(3, caseSplit(0, K - 0, 0)) >> map(reverse) >> join) >> split(2)) }, r1)) >> untile",
    "|a: [i32; N], b: [[i32; K]; M], w: [i32; 3]| { let s = w >> reduce(add, 0); (a >> map(|x| x * s), b >> map(|r| r >> map(|x| x * s))) }",
    "|a: [i32; N], b: [[i32; K]; M], w: [i32; 3]| { let s = w >> reduce(add, 0); (b >> map(|r| r >> map(|x| x * s)), a >> map(|x| x * s)) }",
    "|a: [[i32; K]; N], b: [[i32; K]; M], w: [i32; 3]| { let s = w >> reduce(add, 0); (a >> map(|r| r >> reduce(add, s)), b >> map(|r| r >> map(|x| x + s))) }",
    "|a: [i32; N], b: [[i32; K]; M], w: [i32; 3]| { let s = w >> reduce(add, 0); concat(b >> map(|r| r >> map(|x| x * s)) >> join, a >> map(|x| x * s)) }",
    "|a: [i32; N], b: [[i32; K]; M], w: [i32; 3]| { let s = w >> reduceSeq(add, 0); (a >> mapGlb0(|x| x * s), b >> mapGlb1(|r| r >> mapGlb0(|x| x * s))) }",
    "|a: [i32; N], b: [[i32; K]; M], w: [[i32; M]; N], i: i32| { let s = at(i, w); (a >> map(|x| x * at(0, s)), b >> map(|r| r >> map(|x| x * at(1, s)))) }",
    "|a: [[i32; M]; N], w: [i32; 3]| { let s = w >> reduceSeq(add, 0); a >> mapWrg0(|r| { let t = r >> toGlobal(mapLcl0(|y| y + 1)); t >> mapLcl0(|y| y * s) }) }",
    "|a: [[i32; N]; M], i: i32| { let row = at(i, a); a >> map(|r| { let s = dotProduct(r, row); zip(r, row) >> map(|x, y| x * y - s) }) }",
    "|a: [[i32; N]; M]| (a >> map(|row| { let m = reduce(max, 0, row); row >> map(|x| x - m) }), a >> map(|row| { let m = reduce(max, 0, row); row >> map(|x| x + m) }))",
    "|a: [f32x2; N]| a >> reverse >> mapGlb0(vectorize(2, |x1| select((x1 < 0), select(((x1 < 0) != (0f32 < 0f32)), x1, min(x1, x1)), x1)))",
    "|a: [[i32; 12]; N]| a >> mapWrg0(|r| r >> toLocal(mapLcl1(|x| x + x)) >> toLocal(mapLcl0(|_| 7)) >> toLocal(mapLcl0(|x| x + 1)) >> mapLcl0(id))",
    "|a: [[f32; 12]; N]| a >> mapWrg0(|i => r| r >> toLocal(mapLcl1(|x| x + 1)) >> toLocal(mapLcl0(|_| 0f32)) >> toLocal(mapLcl0(|x| (i % 8) as f32 < x)) >> mapLcl0(id))",
];

/// Programs with arrays between kernels that are made for one portion of the rows after the other where
/// memory is scarce: an attention, networks of two layers, whose second matrix is turned between them, two
/// arrays of one element, three results, loops of the launcher around them, windows, histograms, rows from
/// positions, rows at positions from data, and a map in a map.
pub const IN_PORTIONS: [&str; 12] = [
    "|q: [[i32; D]; N], k: [[i32; D]; M], v: [[i32; D]; M]| q >> map(|query| { let s = k >> map(|key| dotProduct(query, key)); let m = s >> reduce(max, 0); let p = s >> map(|x| x - m); let t = reduce(add, 0, p); v >> transpose >> map(|c| dotProduct(p, c) - t) })",
    "|x: [[i32; D]; N], w: [[i32; D]; M], v: [[i32; M]; K]| x >> map(|x| { let h = w >> map(|w| max(dotProduct(w, x), 0)); let o = v >> map(|v| dotProduct(v, h)); let m = o >> reduce(max, -100); o >> map(|y| y - m) })",
    "|x: [[i32; N]; M], w: [[i32; N]; N]| x >> map(|x| { let h = w >> map(|w| dotProduct(w, x)); let g = w >> transpose >> map(|w| dotProduct(w, x) * 2); let s = dotProduct(h, g); zip(h, g) >> map(|h, g| h * s - g) })",
    "|x: [[i32; D]; N], w: [[i32; D]; M]| { let r = x >> map(|x| { let h = w >> map(|w| dotProduct(w, x)); let s = h >> reduce(max, 0); let o = w >> transpose >> map(|c| dotProduct(c, h)); (s, o, h >> scanInclusive(add)) }); r >> unzip }",
    "|x: [[i32; D]; N], w: [[i32; D]; M], v: [[i32; M]; D]| x >> iterate(5, |t| t >> map(|x| { let h = w >> map(|w| dotProduct(w, x)); v >> map(|v| dotProduct(v, h) % 100) }))",
    "|x: [[i32; N]; M], w: [[i32; N]; 40], n: usize| x >> iterate(n, |t| t >> map(|x| { let h = w >> map(|w| dotProduct(w, x)); w >> transpose >> map(|c| dotProduct(c, h) % 50) }) >> reverse)",
    "|x: [i32; N], w: [[i32; 5]; M]| x >> pad(2, 2, clamp) >> slide(5, 1) >> map(|x| { let h = w >> map(|w| dotProduct(w, x)); let s = reduce(add, 0, h); h >> map(|y| y * 3 - s) >> reduce(max, -100) })",
    "|x: [[i32; D]; N], l: [i32; M]| x >> map(|x| { let h = generate(M, |i| x >> map(|y| if y == i as i32 { 1 } else { 0 }) >> reduce(add, 0)); let c = h >> scanInclusive(add); l >> map(|y| at(y, c) + at(y, h)) })",
    "|x: [i32; N], w: [[i32; N]; M]| generate(N, |i| { let r = w >> map(|row| row >> map(|y| y * at(i, x) + i as i32) >> reduce(add, 0)); let m = r >> reduce(max, -100); r >> map(|y| m - y) })",
    "|x: [[i32; D]; N], w: [[i32; D]; M], p: [i32; N]| zip(x, p) >> map(|x, p| { let h = w >> map(|w| dotProduct(w, x)); let c = at(p, h); h >> map(|y| y - c) >> reverse }) >> reverse",
    "|x: [[[i32; D]; N]; 3], w: [[i32; D]; M]| x >> map(|x| x >> map(|x| { let h = w >> map(|w| dotProduct(w, x)); let s = h >> reduce(max, -100); h >> map(|y| y - s) }))",
    "|x: [[i32; D]; N], w: [[i32; D]; M]| x >> map(|x| { let h = w >> map(|w| dotProduct(w, x)); let s = h >> reduce(max, -100); h >> map(|y| y - s) }) >> transpose >> map(|c| { let t = c >> reduce(add, 0); c >> map(|y| y - t) })",
];
