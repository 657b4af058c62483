// Scans of whole arrays, which the work-items of the device share.

lift! {
    /// What a row needs room for is not known, so that the rows have a kernel of their own.
    fn total_of_last_prefixes<const N: usize, const M: usize>(a: [[i32; N]; M]) -> i32 where N >= 1 {
        a >> map(|row| row >> scanInclusive(add) >> last) >> reduce(add, 0)
    }

    /// The initial value enters once, before all elements.
    fn sums_before<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scan(add, 10) }

    fn sums<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanInclusive(add) }

    fn float_sums<const N: usize>(a: [f32; N]) -> [f32; N] { a >> scanInclusive(add) }

    fn largest_before<const N: usize>(a: [f32; N]) -> [f32; N] { a >> scan(max, 0 - 3) }

    fn products<const N: usize>(a: [u64; N]) -> [u64; N] { a >> scanInclusive(mult) }

    fn any_before<const N: usize>(a: [i32; N]) -> [bool; N] { a >> map(|x| x > 4990) >> scan(|p, q| p || q, false) }

    /// First `f`, then `g`: in another order it is another function.
    #[assoc]
    fn compose(f: (i32, i32), g: (i32, i32)) -> (i32, i32) { (f.0 * g.0, f.1 * g.0 + g.1) }

    fn compositions<const N: usize>(factors: [i32; N], terms: [i32; N]) -> [(i32, i32); N] {
        zip(factors, terms) >> scanInclusive(compose)
    }

    fn compositions_before<const N: usize>(factors: [i32; N], terms: [i32; N]) -> [(i32, i32); N] {
        zip(factors, terms) >> scan(compose, (3, 7))
    }

    #[assoc]
    fn last_nonzero(before: i32, x: i32) -> i32 { if x == 0 { before } else { x } }

    fn filled<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanInclusive(last_nonzero) }

    /// Associative with its operands exchanged, too.
    fn first_nonzero<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scan(|before, x| last_nonzero(x, before), 0) }

    /// What is added is computed of each element first, but for the first one where there is no value before.
    fn sums_of_squares<const N: usize>(a: [i32; N]) -> ([i32; N], [i32; N]) {
        (a >> scan(|s, x| s + x * x, 3), a >> scanInclusive(|s, x| s + x * x))
    }
    fn counts_and_sums<const N: usize>(a: [i32; N]) -> [(u32, i64); N] {
        a >> map(|x| x + 1) >> scan(|i => (n, s), x| (n + 1, s + x as i64 * i as i64), (0, 7))
    }

    /// In order: subtraction is no sum.
    fn alternating<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scan(|before, x| x - before, 1) }

    fn of_squares<const N: usize>(a: [i32; N]) -> [i32; N] { a >> map(|x| x * x) >> scan(add, 0) >> map(|x| x - 1) }

    fn of_neighbours<const N: usize>(a: [i32; N]) -> [i32; N] {
        a >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(add, 0)) >> scanInclusive(add)
    }

    /// Elements that take long are computed once, and stored.
    fn of_rows<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] { a >> map(reduce(add, 0)) >> scanInclusive(max) }

    fn of_sums<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanInclusive(add) >> scan(add, 0) }

    fn backwards<const N: usize>(a: [i32; N]) -> [i32; N] { a >> reverse >> scanInclusive(add) >> reverse }

    /// The last prefix and all of them, several times.
    fn shares<const N: usize>(a: [i32; N]) -> [i32; N] where N > 0 {
        let before = scanInclusive(add, a);
        zip(before, reverse(before)) >> map(|x, y| x + 2 * y + last(before))
    }

    fn both<const N: usize>(a: [i32; N]) -> ([i32; N], i32, [i32; N]) {
        (scan(add, 0, a), reduce(add, 0, a), scanInclusive(max, a))
    }

    fn one_after_the_other<const N: usize>(a: [i32; N]) -> [i32; 3 * N] {
        concat(a >> map(|x| x + 1), scan(add, 0, a), scanInclusive(min, a))
    }

    /// Where whole tiles begin depends on sums in front of them.
    fn from_a_sum<const N: usize>(a: [i32; N]) -> [i32; N] { scan(add, reduce(add, 0, a), a) }

    /// Each row is one work-item's.
    fn of_each_row<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] { a >> map(scanInclusive(add)) }

    fn thrice<const N: usize>(a: [i32; N]) -> [i32; N] { iterate(3, scanInclusive(add), a) }

    fn seven_times<const N: usize>(a: [i32; N]) -> [i32; N] { iterate(7, scanInclusive(add), a) }

    fn vectors<const N: usize>(a: [i32x4; N]) -> [i32x4; N] { scanInclusive(add, a) }

    /// So large that a tile is small: there are soon more tiles than work-items that scan their totals.
    fn large_vectors<const N: usize>(a: [i64x16; N]) -> [i64x16; N] { scan(add, 0, a) }

    /// The user's groups, and what comes after them.
    fn after_groups<const N: usize>(a: [i32; N]) -> [i32; N] where N % 64 == 0 {
        a >> split(64) >> mapWrg0(mapLcl0(|x| x + 1)) >> join >> toGlobal(id) >> scan(add, 0)
    }

    fn prefix_sums<const N: usize>(a: [i32; N]) -> [i32; N] { scanInclusive(add, a) }

    /// A function of the program's own, on something that it computes.
    fn called<const N: usize>(a: [i32; N]) -> [i32; N] { prefix_sums(a >> map(|x| 2 * x)) >> map(|x| x + 1) }

    /// The scan depends on nothing that the map takes: it is computed once.
    fn shifted<const N: usize, const M: usize>(a: [i32; N], b: [i32; M]) -> [i32; N] where M > 0 {
        a >> map(|x| x + last(scanInclusive(add, b)))
    }

    fn of_known_length(a: [i32; 5000]) -> [i32; 5000] { a >> scan(add, 0) }

    fn of_positions<const N: usize>(a: [i32; N]) -> [i32; N] {
        zip(a, generate(N, |i| i as i32) >> scanInclusive(add)) >> map(add)
    }

    /// Too large for more than a few work-items of a group.
    fn of_pairs<const N: usize>(a: [(i64x16, i64x16); N]) -> [(i64x16, i64x16); N] { a >> scanInclusive(sum_of_pairs) }

    #[assoc]
    fn sum_of_pairs(x: (i64x16, i64x16), y: (i64x16, i64x16)) -> (i64x16, i64x16) { (x.0 + y.0, x.1 + y.1) }

    #[launch(any)]
    fn for_any_launch<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanInclusive(add) }

    #[launch(local = 64)]
    fn by_small_groups<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanInclusive(add) }
}

lift! {
    // Accumulators that are arrays.

    /// Fibonacci's numbers and those like it: a state of two numbers, and the first of each.
    fn recurrences<const N: usize>(a: [i32; N], start: [i32; 2]) -> [i32; N] {
        a >> scan(|[before, last], x| [last, before + last + x], start) >> map(head)
    }

    /// A filter with a state of any length: each value moves half-way to the one before.
    fn diffusion<const N: usize, const S: usize>(a: [f32; N], state: [f32; S]) -> [[f32; S]; N] where S >= 1 {
        a >> scan(|s, x| s >> pad(1, 0, clamp) >> slide(2, 1) >> map(|[left, here]| here + (left - here) * 0.5 + x), state)
    }

    fn sums_of_rows<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [[i32; M]; N] {
        a >> scanInclusive(|acc, row| zip(acc, row) >> map(add))
    }

    /// The position says whether a step turns the state round.
    fn turned<const N: usize>(a: [i32; N]) -> [[i32; 3]; N] {
        a >> scan(|i => s, x| if i % 2 == 0 { s >> reverse } else { s >> map(|y| y + x) }, [1, 2, 3])
    }

    /// A number and an array side by side.
    fn counted<const N: usize>(a: [i32; N]) -> ([u32; N], [[i32; 3]; N]) {
        a >> scan(|(n, last), x| (n + 1, [at(1, last), at(2, last), x]), (0, [0, 0, 0])) >> unzip
    }

    /// Products of matrices, of each of several sequences.
    fn products_of_matrices<const B: usize, const N: usize>(a: [[[[i32; 2]; 2]; N]; B]) -> [[[[i32; 2]; 2]; N]; B] {
        a >> map(scanInclusive(|p, m| p >> map(|row| m >> transpose >> map(dotProduct(row)))))
    }

    /// What comes after it reads rows in another way.
    fn columns_of_states<const N: usize>(a: [i32; N]) -> [[i32; N]; 4] {
        a >> scan(|s, x| s >> map(|i => y| y * 2 + x + i as i32), repeat(4, 0)) >> transpose >> map(map(|y| y + 1))
    }

    /// Each group computes its states together.
    fn states_of_groups<const N: usize, const B: usize>(a: [[i32; N]; B]) -> [[[i32; 32]; N]; B] {
        a >> mapWrg0(scan(|s, x| s >> reverse >> mapLcl0(|y| y + x), generate(32, |i| i as i32)))
    }

    /// Each work-item computes rows of its own, wherever the result has them.
    fn sequences_in_reverse<const B: usize, const N: usize>(a: [[i32; N]; B]) -> [[[i32; 2]; N]; B] {
        a >> map(scan(|s, x| s >> reverse >> map(|y| y + x), [1, 2])) >> reverse
    }
    fn sequences_as_columns<const B: usize, const N: usize>(a: [[i32; N]; B]) -> [[[i32; 2]; B]; N] {
        a >> map(scan(|s, x| s >> reverse >> map(|y| y + x), [1, 2])) >> transpose
    }
}
