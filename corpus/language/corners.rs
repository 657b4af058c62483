// Programs at the corners of the language: what C leaves open, borders whose elements need code, names that
// OpenCL takes.

lift! {
    fn negated_bytes<const N: usize>(a: [i8; N]) -> [i32; N] { a >> map(|x| -x as i32) }

    fn thirds_of_opposites<const N: usize>(a: [i16; N]) -> [i16; N] { a >> map(|x| -x / 3) }

    fn quotients_by_minus_one<const N: usize>(a: [i16; N], b: [i16; N]) -> [i16; N] { zip(a, b) >> map(|x, y| (x / y) / 3) }

    fn thirds_of_vectors<const N: usize>(a: [i16; 4 * N]) -> [i16; 4 * N] { a >> asVector(4) >> mapGlb0(|v| -v / 3) >> asScalar }

    fn larger_than_four<const N: usize>(a: [u16; N]) -> [bool; N] { a >> map(|x| max(x + x, 1) > 4) }

    fn halves_of_products<const N: usize>(a: [u16; 2 * N]) -> [u16; 2 * N] { a >> asVector(2) >> mapGlb0(|v| v * v / 2) >> asScalar }

    fn sums_with_border<const N: usize>(a: [[f32; 8]; N]) -> [[f32; 8]; N + 2] {
        a >> map(|row| { let s = reduce(add, 0, row); row >> map(|x| x + s) }) >> padConstant(1, 1, [0, 1, 2, 3, 4, 5, 6, 7])
    }

    fn split_in_two(x: f32) -> (f32, f32) { (floor(x), x - floor(x)) }

    fn parts_with_border<const N: usize>(a: [f32; N], b: [f32; 2]) -> [[f32; 2]; N + 2] {
        a >> map(|x| { let (whole, part) = split_in_two(x); b >> map(|y| y * part + whole) }) >> padConstant(1, 1, [7, 8])
    }

    fn powers<const N: usize>(a: [u32; N]) -> [u32; N] {
        a >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x)
          >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x)
          >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x)
          >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x) >> map(|x| x * x)
    }

    fn total_and_doubled<const N: usize>(a: [f32; N]) -> (f32, [f32; N]) { (reduce(add, 7, a), map(|x| 2 * x, a)) }

    fn chunks<const N: usize>(a: [[f32; 8]; N]) -> (f32, [[f32; 8]; N]) {
        (a >> join >> reduce(add, 7), a >> mapWrg0(|chunk| chunk >> toLocal(mapLcl0(id)) >> reverse >> mapLcl0(id)))
    }

    /// The weights are made before the first kernel and needed in both.
    fn weighted<const N: usize>(a: [f32; N], x: f32, y: f32) -> [f32; N] {
        let weights = [x, y, x];
        let scaled = a >> toGlobal(mapGlb0(|v| weights >> map(|w| w * v) >> reduce(add, 0)));
        scaled >> pad(1, 1, clamp) >> slide(3, 1) >> mapGlb0(|nbh| zip(nbh, weights) >> map(mult) >> reduce(add, 0))
    }

    fn sums_by_group<const N: usize>(a: [[[f32; 8]; 4]; N], z: [f32; 8]) -> [f32; 8 * N] {
        a >> mapWrg0(|rows| rows >> reduceSeq(|acc, row| zip(acc, row) >> mapLcl0(add), z)) >> join
    }

    /// `t` is indexed by data, so it stays an array, in a loop over one that becomes variables.
    fn chosen_sums<const N: usize>(a: [[i32; 4]; N], k: i32) -> [[i32; 4]; N] {
        a >> mapGlb0(|r| r >> toPrivate(mapSeq(|x| x * 2)) >> mapSeq(|x| { let t = toPrivate(mapSeq(|y| x + y), r); at(k, t) }))
    }

    /// Vectors across the room after rows of six.
    fn vectors_across_gaps<const N: usize>(a: [[[f32; 6]; 2]; N]) -> [[f32; 12]; N] {
        a >> mapWrg0(|t| t >> increase2d(0, 0, 0, 1) >> toLocal(mapLcl0(mapSeq(id))) >> join >> asVector(4) >> mapLcl0(|v| v + 1) >> asScalar)
    }

    /// Room after rows of pairs of a vector and a scalar.
    fn vectors_in_spaced_rows<const N: usize>(a: [[[f32x4; 6]; 4]; N], b: [[[f32; 6]; 4]; N]) -> [[f32x4; 6]; N] {
        zip(a, b) >> mapWrg0(|(u, v)| zip2(u, v) >> increase2d(0, 0, 0, 1) >> toLocal(mapLcl0(mapSeq(id)))
          >> transpose >> mapLcl0(reduceSeq(|acc, (x, y)| acc + x * y, 0)))
    }

    /// Room after rows of pairs of a row and a scalar.
    fn rows_in_spaced_rows<const N: usize>(a: [[[[i32; 5]; 3]; 4]; N], b: [[[i32; 3]; 4]; N]) -> [[[i32; 5]; 3]; N] {
        zip(a, b) >> mapWrg0(|(u, v)| zip2(u, v) >> increase2d(0, 0, 0, 1)
          >> toLocal(mapLcl0(mapSeq(|(row, k)| (row >> mapSeq(|x| x * k), k))))
          >> transpose >> mapLcl0(|column| column >> map(|(row, k)| row >> map(|x| x + k)) >> transpose >> mapSeq(reduceSeq(add, 0))))
    }

    /// Room after the rows of two tiles that change places.
    fn turned_in_spaced_rows<const N: usize>(m: size, a: [[[i32; 4]; 4]; N]) -> [[[i32; 4]; 4]; N] {
        a >> mapWrg0(|t| t >> toLocal(mapLcl0(mapSeq(id)))
          >> iterate(m, |rows| rows >> map(reverse) >> increase2d(0, 0, 0, 1) >> toLocal(mapLcl0(mapSeq(|x| x + 1))))
          >> mapLcl0(mapSeq(id)))
    }

    /// The work-items of a group write a longer row each time, and each reads what another one wrote.
    fn waits_for_the_row_before(a: [i => [f32; 8 * (i + 1)]; 16]) -> [i => [f32; 8 * (i + 1)]; 16] {
        a >> split(16) >> mapWrg0(mapSeq(|row| {
            let tripled = row >> split(len(row) / 8) >> toLocal(mapLcl0(mapSeq(|v| v * 3)) >> join);
            tripled >> split(len(row) / 8) >> map(reverse) >> mapLcl0(mapSeq(|v| v * 2)) >> join
        })) >> join
    }

    fn room_in_uneven_rows<const N: usize>(a: [[i32; 10]; N]) -> [[i32; 10]; N] {
        a >> mapWrg0(|t| t >> partition(4, |i| i + 1) >> map(increase(0, 1)) >> toLocal(mapLcl0(mapSeq(id))) >> join >> reverse >> mapLcl0(id))
    }

    /// The work-items of a group stream over rows that they share.
    fn streamed<const N: usize>(a: [[[f32; 8]; 6]; N]) -> [[[f32; 8]; 4]; N] {
        a >> mapWrg0(|t| t >> mapSeqSlide(|w| w >> transpose >> mapLcl0(reduceSeq(add, 0)), 3, 1))
    }

    fn rows_and_elements<const N: usize, const M: usize>(a: [[f32; M]; N]) -> ([f32; N], [[f32; M]; N]) {
        (a >> mapGlb1(reduceSeq(add, 1)), a >> mapGlb1(mapGlb0(|x| 2 * x)))
    }

    fn convert_int(x: i32) -> i32 { x + 1 }
    fn subtract_int(x: i32) -> i32 { convert_int(x) - 3 }

    fn names_of_opencl<const INT_MAX: usize>(float4: [i32; INT_MAX], as_float: i32) -> [i32; INT_MAX] {
        float4 >> map(subtract_int) >> map(|x| x - as_float)
    }
}

lift! {
    fn doubles_as_integers<const N: usize>(a: [f64; N]) -> [(i8, u8, i32, u64); N] {
        a >> map(|x| (x as i8, x as u8, x as i32, x as u64))
    }

    fn floats_as_integers<const N: usize>(a: [f32; N]) -> [(i8, u8, i64, u64); N] {
        a >> map(|x| (x as i8, x as u8, x as i64, x as u64))
    }

    fn vectors_as_integers<const N: usize>(a: [f64; 4 * N]) -> [i32; 4 * N] {
        a >> asVector(4) >> map(|v| v as i32x4) >> asScalar
    }
}
