// `if` between arrays, wherever an array may stand.

lift! {
    /// By a condition that everybody knows.
    fn one_of<const N: usize>(p: bool, xs: [f32; N], ys: [f32; N]) -> [f32; N] { if p { xs } else { ys } }
    fn computed<const N: usize>(k: i32, xs: [f32; N]) -> [f32; N] {
        if k > 0 { xs >> map(|x| x * 2.0) } else { xs >> map(|x| x + 1.0) >> reverse }
    }
    fn of_three<const N: usize>(k: i32, xs: [i32; N]) -> [i32; N] {
        if k < 0 { xs >> map(|x| -x) } else if k == 0 { repeat(N, 0) } else { xs }
    }
    fn matrix<const N: usize, const M: usize>(p: bool, xs: [[i32; M]; N], ys: [[i32; M]; N]) -> [[i32; M]; N] {
        if p { xs >> map2(|x| x + 1) } else { ys }
    }
    fn volume<const N: usize, const M: usize>(p: bool, xs: [[[i32; 2]; M]; N]) -> [[[i32; 2]; M]; N] {
        if p { xs >> reverse } else { xs >> map(reverse) }
    }
    fn triangle<const N: usize>(p: bool, xs: [i => [i32; i + 1]; N]) -> [i => [i32; i + 1]; N] {
        if p { xs } else { xs >> map(|row| row >> map(|x| x * 2)) }
    }
    fn exchanged<const N: usize>(p: bool, xs: [f32; N], ys: [f32; N]) -> ([f32; N], [f32; N], f32) {
        if p { (ys, xs, 1.0) } else { (xs, ys, 2.0) }
    }
    fn pairs<const N: usize>(p: bool, xs: [(i32, f32); N]) -> [(i32, f32); N] {
        if p { xs >> map(|(k, x)| (k + 1, x * 2.0)) } else { xs >> reverse }
    }
    fn vectors<const N: usize>(p: bool, xs: [f32; 4 * N]) -> [f32; 4 * N] {
        (if p { xs >> asVector(4) } else { xs >> asVector(4) >> map(|v| v * 2.0) }) >> asScalar
    }

    /// By a number that the device computes.
    fn normalised<const N: usize>(xs: [f32; N]) -> [f32; N] {
        let largest = xs >> reduce(max, 0.0);
        if largest > 1.0 { xs >> map(|x| x / largest) } else { xs }
    }
    /// What is made by several kernels, and what is read several times.
    fn prefix_sums<const N: usize>(p: bool, xs: [i32; N]) -> [i32; N] {
        if p { xs >> scanInclusive(add) } else { xs >> map(|x| x * (xs >> reduce(max, 0))) }
    }
    fn read_again<const N: usize>(p: bool, xs: [i32; N]) -> [i32; N] {
        let ys = if p { xs >> scanInclusive(add) } else { xs };
        ys >> padConstant(1, 1, 0) >> slide(3, 1) >> map(reduce(add, 0))
    }
    fn summed<const N: usize>(p: bool, xs: [i32; N], ys: [i32; N]) -> i32 {
        (if p { xs } else { ys >> map(|y| y * y) }) >> reduce(add, 0)
    }
    fn sums_of_rows<const N: usize, const M: usize>(p: bool, xs: [[i32; M]; N]) -> [i32; N] {
        if p { xs >> map(reduce(add, 0)) } else { xs >> map(reduce(max, -100)) }
    }
    fn product<const N: usize, const M: usize, const K: usize>(p: bool, a: [[i32; M]; N], b: [[i32; K]; M], c: [[i32; K]; N]) -> [[i32; K]; N] {
        if p { a >> map(|row| b >> transpose >> map(|column| zip(row, column) >> map(mult) >> reduce(add, 0))) } else { c }
    }
    fn array_of_sums<const N: usize, const M: usize>(p: bool, xs: [[i32; M]; N]) -> [i32; M] {
        if p { xs >> reduce(|a, b| zip(a, b) >> map(add), repeat(M, 0)) } else { repeat(M, 7) }
    }

    /// By a condition on sizes. The first branch exists only where it is chosen.
    fn long_enough<const N: usize>(xs: [i32; N], ys: [i32; 3]) -> [i32; 3] {
        if N >= 3 { xs >> slice(0, 3) } else { ys }
    }
    /// The lengths are equal only where a branch is chosen.
    fn at_most_four<const N: usize>(xs: [i32; N]) -> [i32; min(N, 4)] {
        if len(xs) <= 4 { xs } else { xs >> slice(0, 4) }
    }
    fn at_least_four<const N: usize>(xs: [i32; N]) -> [i32; max(4, N)] {
        if N >= 4 { xs >> map(|x| x + 1) } else { xs >> padConstant(0, 4 - N, -1) }
    }
    fn pairs_at_most_four<const N: usize>(xs: [i32; N], ys: [[f32; 2]; N]) -> ([i32; min(N, 4)], [[f32; 2]; min(N, 4)]) {
        if N < 5 { (xs, ys) } else { (xs >> slice(1, 4), ys >> slice(N - 4, 4)) }
    }
    fn sum_of_at_most_four<const N: usize>(xs: [i32; N]) -> i32 {
        (if len(xs) <= 4 { xs } else { xs >> slice(0, 4) }) >> reduce(add, 0)
    }
    fn chunks_of_at_most_four<const N: usize>(xs: [i32; N]) -> [i32; N] {
        repeat((N + 3) / 4, 0)
            >> map(|g => zero| if 4 <= N - 4 * g { xs >> slice(4 * g, 4) } else { xs >> slice(4 * g, N - 4 * g) >> map(|x| -x) })
            >> join
    }
    fn scanned_if_long_enough<const N: usize>(xs: [i32; N], ys: [i32; 3]) -> [i32; 3] {
        if N >= 3 { xs >> slice(0, 3) >> scanInclusive(add) } else { ys }
    }

    /// In functions of maps.
    fn rows<const N: usize, const M: usize>(xs: [[i32; M]; N]) -> [[i32; M]; N] where M >= 1 {
        xs >> map(|row| if at(0, row) > 0 { row >> map(|x| x * 2) } else { row >> reverse })
    }
    fn scanned_rows<const N: usize, const M: usize>(ps: [bool; N], xs: [[i32; M]; N]) -> [[i32; M]; N] {
        zip(ps, xs) >> map(|p, row| if p { row >> scanInclusive(add) } else { row })
    }
    fn normalised_rows<const N: usize, const M: usize>(xs: [[f32; M]; N]) -> [[f32; M]; N] {
        xs >> map(|row| {
            let sum = row >> reduce(add, 0.0);
            if sum > 0.0 { row >> map(|x| x / sum) } else { row >> map(|x| x * 0.0) }
        })
    }
    fn even_rows_reversed<const N: usize, const M: usize>(xs: [[i32; M]; N]) -> [[i32; M]; N] {
        xs >> map(|i => row| if i % 2 == 0 { row >> reverse } else { row })
    }
    fn sums_of_chosen_rows<const N: usize, const M: usize>(ps: [bool; N], xs: [[i32; M]; N]) -> [i32; N] {
        zip(ps, xs) >> map(|p, row| (if p { row } else { row >> map(|x| x * x) }) >> reduce(add, 0))
    }
    fn columns<const N: usize, const M: usize>(p: bool, xs: [[i32; M]; N]) -> [[i32; N]; M] {
        xs >> map(|row| if p { row >> scanInclusive(add) } else { row }) >> transpose
    }

    /// In the bodies of `iterate`, reductions and user functions.
    fn iterated<const N: usize>(p: bool, xs: [f32; N]) -> [f32; N] {
        xs >> iterate(5, |ys| if p { ys >> map(|y| y * 2.0) } else { ys >> reverse })
    }
    fn iterated_by_data<const N: usize>(xs: [i32; N]) -> [i32; N] {
        xs >> iterate(6, |ys| {
            let sum = ys >> reduce(add, 0);
            if sum > 100 { ys >> map(|y| y / 2) } else { ys >> map(|y| y * 3) }
        })
    }
    fn accumulated<const N: usize>(keys: [i32; N]) -> [i32; 12] {
        keys >> reduceSeq(|acc, key| if key > 0 { acc >> update(key, key) } else { acc >> map(|x| x - 1) }, repeat(12, 0))
    }
    fn counted<const N: usize, const K: usize>(ps: [bool; N], keys: [i32; N], zeros: [i32; K]) -> [i32; K] where K >= 1 {
        zip(ps, keys) >> reduceSeq(|acc, (p, key)| if p { update(key, at(key, acc) + 1, acc) } else { acc }, zeros)
    }
    fn pick<T: Element, const N: usize>(p: bool, xs: [T; N], ys: [T; N]) -> [T; N] { if p { xs } else { ys } }
    fn picked<const N: usize>(p: bool, q: bool, xs: [i32; N], ys: [i32; N]) -> [i32; N] {
        pick(q, pick(p, xs, ys) >> map(|x| x + 1), ys)
    }
    fn concatenated<const N: usize>(p: bool, xs: [i32; N]) -> [i32; 2 * N] {
        concat(if p { xs } else { xs >> reverse }, if p { xs >> reverse } else { xs })
    }

    /// Branches that say who computes them: written where they are chosen, or both computed before.
    fn by_one_kernel<const N: usize>(p: bool, xs: [f32; N]) -> [f32; N] {
        if p { xs >> mapGlb0(|x| x * 2.0) } else { xs >> mapGlb0(|x| x + 1.0) }
    }
    fn by_several_kernels<const N: usize>(p: bool, xs: [f32; N]) -> [f32; N] {
        if p { xs >> mapGlb0(|x| x * 2.0) >> reverse >> mapGlb0(|x| x + 1.0) } else { xs }
    }
    fn by_groups<const N: usize>(ps: [bool; N], xs: [[f32; 64]; N]) -> [[f32; 64]; N] {
        zip(ps, xs) >> mapWrg0(|p, row| if p { row >> mapLcl0(|x| x * 2.0) } else { row >> reverse >> mapLcl0(|x| x + 1.0) })
    }
    fn in_local_memory<const N: usize>(p: bool, xs: [[f32; 64]; N]) -> [[f32; 64]; N] {
        xs >> mapWrg0(|row|
            toLocal(|r| if p { r >> mapLcl0(|x| x * 2.0) } else { r >> mapLcl0(|x| x + 1.0) }, row) >> reverse >> mapLcl0(|x| x + 3.0)
        )
    }
    fn read_by_groups<const N: usize>(p: bool, xs: [[f32; 64]; N]) -> [[f32; 64]; N] {
        xs >> mapWrg0(|row| (if p { row >> mapLcl0(|x| x * 2.0) } else { row }) >> reverse >> mapLcl0(|x| x + 3.0))
    }
    fn in_registers<const N: usize>(xs: [[f32; 4]; N]) -> [[f32; 4]; N] {
        xs >> mapGlb0(|row| (if at(0, row) > 0.0 { row >> mapSeq(|x| x + 1.0) } else { row >> reverse }) >> scanInclusive(add))
    }
}
