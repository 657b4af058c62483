// The matrix-vector benchmarks of Steuwer, Remmelg, Dubach, CGO 2017, section 7: each in its high-level form,
// and with the structure of the hand-written kernels of CLBlast that it was compared with.

lift! {
    /// A product of a matrix and a vector; each of its elements is used once.
    fn product<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        a >> map(|row| zip(row, x) >> map(mult) >> reduce(add, 0))
    }

    fn atax<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] {
        product(transpose(a), product(a, x))
    }

    /// A work-group per row, whose partial sums are added up in local memory, then a work-item per column.
    fn atax_low<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M]) -> [f32; M] where M % 16 == 0 {
        let y = a >> mapWrg0(|row|
            zip(row, x) >> split(16) >> transpose
                >> mapLcl0(|own| own >> reduceSeq(|acc, (a, x)| acc + a * x, 0) >> toLocal(id))
                >> iterate(4, |t| t >> split(len(t) / 2) >> transpose >> mapLcl0(|p| p >> reduceSeq(add, 0) >> toLocal(id)))
                >> mapLcl0(toGlobal(id))
        ) >> join;
        a >> transpose >> mapGlb0(|column| zip(column, y) >> reduceSeq(|acc, (a, y)| acc + a * y, 0))
    }

    fn gemv<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], x: [f32; M], y: [f32; N]) -> [f32; N] {
        zip(product(a, x), y) >> map(|ax, y| alpha * ax + beta * y)
    }

    /// A work-group for every 16 rows, which shares the pieces of `x` through local memory.
    fn gemv_low<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], x: [f32; M], y: [f32; N]) -> [f32; N]
    where N % 16 == 0, M % 16 == 0
    {
        zip(a >> split(16), y >> split(16)) >> mapWrg0(|(rows, ys)| {
            let products = zip(rows >> map(split(16)) >> transpose, x >> split(16)) >> reduceSeq(|sums, (parts, xs)| {
                let shared = xs >> toLocal(mapLcl0(id));
                zip(sums, parts) >> mapLcl0(|(sum, part)| zip(part, shared) >> reduceSeq(|acc, (a, x)| acc + a * x, sum))
            }, repeat(16, 0));
            zip(products, ys) >> mapLcl0(|(ax, y)| alpha * ax + beta * y >> toGlobal(id))
        }) >> join
    }

    /// Rows as vectors of four.
    fn gemv_vectorised<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], x: [f32; M], y: [f32; N]) -> [f32; N]
    where M % 4 == 0
    {
        zip(a, y) >> mapGlb0(|(row, y)| {
            let sums = zip(asVector(4, row), asVector(4, x)) >> reduceSeq(|acc, (a, x)| acc + a * x, 0);
            alpha * dot(sums, 1) + beta * y
        })
    }

    fn gesummv<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], b: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        zip(product(a, x), product(b, x)) >> map(|ax, bx| alpha * ax + beta * bx)
    }

    /// Both products in one loop of a work-item (PolyBench).
    fn gesummv_flat<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], b: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
        zip(a, b) >> mapGlb0(|(rowOfA, rowOfB)| {
            let sums = zip(rowOfA, rowOfB, x) >> reduceSeq(|(s, t), (a, b, x)| (s + a * x, t + b * x), (0, 0));
            alpha * sums.0 + beta * sums.1
        })
    }

    /// Both products in one work-group, with two sums per work-item and pieces of `x` in local memory.
    fn gesummv_low<const N: usize, const M: usize>(alpha: f32, beta: f32, a: [[f32; M]; N], b: [[f32; M]; N], x: [f32; M]) -> [f32; N]
    where N % 16 == 0, M % 16 == 0
    {
        zip(a, b) >> split(16) >> mapWrg0(|rows| {
            let pieces = rows >> map(|(r, s)| zip(r, s) >> split(16)) >> transpose;
            zip(pieces, x >> split(16)) >> reduceSeq(|sums, (parts, xs)| {
                let shared = xs >> toLocal(mapLcl0(id));
                zip(sums, parts) >> mapLcl0(|(sum, part)|
                    zip(part, shared) >> reduceSeq(|(s, t), ((a, b), x)| (s + a * x, t + b * x), sum))
            }, repeat(16, (0, 0))) >> mapLcl0(|(s, t)| alpha * s + beta * t >> toGlobal(id))
        }) >> join
    }
}
