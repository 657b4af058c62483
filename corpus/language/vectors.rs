// Programs with vectors.

lift! {
    /// The components of a vector go to places that lie backwards.
    fn doubled_backwards<const N: usize>(a: [f32; N]) -> [f32; N] { a >> asVector(4) >> map(|v| v * 2) >> asScalar >> reverse }

    /// Scales a vector.
    fn scaled(v: f32x4, s: f32) -> f32x4 { v * s + 1 }

    fn relu(v: i32x2) -> i32x2 { if v > 0 { v } else { 0 } }

    fn cubes(v: f32x4) -> f32x4 { mapVec(|x| x * x * x, v) }

    fn product(v: i32x8, w: i32x8) -> i32 { dot(v, w) }

    pub fn scale<const N: usize>(a: [f32x4; N], s: f32) -> [f32x4; N] { map(|v| scaled(v, s), a) }

    pub fn positive<const N: usize>(a: [i32; N]) -> [i32; N] { asVector(2, a) >> map(relu) >> asScalar }

    pub fn sum<const N: usize>(a: [f32; N]) -> f32x4 { asVector(4, a) >> reduceSeq(add, 0) }

    /// The sum of the vectors before the first long one.
    pub fn sum_of_short<const N: usize>(a: [f32; N], limit: f32) -> f32x4 {
        asVector(4, a) >> reduceWhile(|acc, v| (dot(v, v) < limit, acc + v), 0)
    }

    pub fn shift<const N: usize>(a: [f32x2; N], by: f32x2) -> [f32x2; N] { map(|v| v + by, a) }
}

lift! {
    /// Steuwer, Remmelg, Dubach, CASES 2016, listing 3.
    pub fn blocked<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], bt: [[f32; K]; M]) -> [[f32; M]; N] where N % 2 == 0, M % 2 == 0, K % 4 == 0 {
      a >> split(2) >> mapGlb1(|rowsOfA| bt >> split(2) >> mapGlb0(|colsOfB|
        zip(rowsOfA >> transpose >> split(4) >> map(transpose), colsOfB >> transpose >> split(4) >> map(transpose)) >> reduceSeq(|acc, (tileA, tileB)| {
          let ap = tileA >> mapSeq(|row| row >> asVector(4) >> toPrivate(mapSeq(id)));
          let bp = tileB >> mapSeq(|col| col >> asVector(4) >> toPrivate(mapSeq(id)));
          let products = ap >> mapSeq(|row| bp >> mapSeq(|col| zip(row, col) >> map(mult) >> asScalar >> reduceSeq(add, 0)));
          zip(acc, products >> join >> asVector(4)) >> mapSeq(add)
        }, [0]) >> asScalar >> asVector(2) >> toGlobal(mapSeq(id)) >> asScalar >> split(2)
      )) >> untile
    }

    /// The same, listing 4, with n = m = 2 and k = 4.
    pub fn dots<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], bt: [[f32; K]; M]) -> [[f32; M]; N] where N % 2 == 0, M % 2 == 0, K % 4 == 0 {
      a >> split(2) >> mapGlb1(|rowsOfA| bt >> split(2) >> mapGlb0(|colsOfB|
        zip(rowsOfA >> transpose >> split(4) >> map(transpose), colsOfB >> transpose >> split(4) >> map(transpose)) >> reduceSeq(|acc, (tileA, tileB)|
          zip(acc, tileA) >> mapSeq(|(accRow, row)| zip(accRow, tileB) >> mapSeq(|(c, col)|
            zip(row >> asVector(4), col >> asVector(4)) >> map(dot) >> reduceSeq(add, c))),
          repeat(2, repeat(2, 0))) >> toGlobal(mapSeq(mapSeq(id)))
      )) >> untile
    }

    /// Vectors at addresses that are no multiple of their width, in global and in local memory.
    fn shifted<const N: usize>(a: [i32; N]) -> [i32; N - 2] where N % 8 == 2 {
        a >> slice(1, N - 2) >> split(8)
          >> mapWrg0(|chunk| chunk >> asVector(4) >> toLocal(mapLcl0(|v| v * v)) >> asScalar >> reverse >> mapLcl0(toGlobal(id)))
          >> join
    }

    fn prefix<const N: usize>(a: [f32x2; N]) -> [f32x2; N] { scanInclusive(add, a) }

    fn widest<const N: usize>(a: [u8x16; N], b: [u8x16; N]) -> [u8; N] { zip(a, b) >> map(dot) }
}

lift! {
    fn total<const N: usize>(a: [i32x4; N]) -> i32x4 { a >> map(|v| v * 2) >> reduce(add, 1) }

    fn squares<const N: usize>(a: [i32x4; N]) -> i32 { a >> map(|v| dot(v, v)) >> reduce(add, 0) }
}
