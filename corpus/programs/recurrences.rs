// Tables and matrices that steps replace: shortest paths, elimination, subsequences, transforms, eigenvalues.

lift! {
    /// The lengths of the shortest paths between all vertices (Floyd, Communications of the ACM, 1962): step
    /// `k` also allows those through vertex `k`.
    fn distances<const N: usize>(edges: [[f32; N]; N]) -> [[f32; N]; N] {
        edges >> iterate(N, |k => d| d
            >> map(|i => row| row >> map(|j => x| min(x, at(k, at(i, d)) + at(j, at(k, d))))))
    }

    /// The solution of a system of linear equations, whose right side is the last column, by elimination: the
    /// row with the greatest element in a column is exchanged with the one that is due, and subtracted from all
    /// others.
    fn solution<const N: usize>(system: [[f64; N + 1]; N]) -> [f64; N] {
        system
            >> iterate(N, |k => a| {
                let (_, pivot) = a >> reduce(
                    |i => (most, place), row| if i >= k && abs(at(k, row)) > most {
                        (abs(at(k, row)), i as u32)
                    } else {
                        (most, place)
                    },
                    (-1.0, 0)
                );
                let exchanged = a
                    >> map(|i => row| if i == k {
                        at(pivot, a)
                    } else {
                        if i as u32 == pivot { at(k, a) } else { row }
                    })
                    >> store;
                let due = at(k, exchanged);
                exchanged >> map(|i => row| zip(row, due) >> map(|x, p| if i == k {
                    p / at(k, due)
                } else {
                    x - at(k, row) / at(k, due) * p
                }))
            })
            >> map(last)
    }

    /// The greatest eigenvalue of a symmetric matrix, by the power method.
    fn greatest_eigenvalue<const N: usize>(rounds: usize, a: [[f64; N]; N]) -> f64 {
        let times = |v| a >> map(|row| dotProduct(row, v));
        let v = repeat(N, 1.0) >> iterate(rounds, |v| {
            let product = times(v) >> store;
            let norm = sqrt(dotProduct(product, product));
            product >> map(|x| x / norm)
        });
        dotProduct(v, times(v)) / dotProduct(v, v)
    }

    /// The length of the longest common subsequence of two texts, row by row of the table: within a row, what
    /// comes from the left is a running maximum.
    fn longest_common<const N: usize, const M: usize>(a: [u8; N], b: [u8; M]) -> i32 where M >= 1 {
        a
            >> reduceSeq(
                |row, x| zip(row, concat(repeat(1, 0), slice(0, M - 1, row)), b)
                    >> map(|above, before, y| if x == y { before + 1 } else { above })
                    >> scanInclusive(max),
                repeat(M, 0)
            )
            >> last
    }

    /// The greatest value of some of the items, each with its weight and its value, that weigh no more than a
    /// limit.
    fn knapsack<const N: usize>(limit: usize, items: [(u32, u32); N]) -> u32 {
        items
            >> reduceSeq(
                |best, (weight, value)| best >> map(|room => without| if room as u32 >= weight {
                    max(without, at(room as u32 - weight, best) + value)
                } else {
                    without
                }),
                repeat(limit + 1, 0u32)
            )
            >> last
    }

    fn product(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
        (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
    }

    /// The Fourier transform of `2 * half` complex numbers, a power of two, in as many steps as its logarithm
    /// says; no step permutes them (Stockham's algorithm).
    fn transformed(half: usize, steps: usize, xs: [(f32, f32); 2 * half]) -> [(f32, f32); 2 * half] {
        xs >> iterate(steps, |k => xs| generate(2 * half, |i| {
            let run = shl(1, k as i32);
            let place = i as i32 % run;
            let from = i as i32 / (2 * run) * run + place;
            let angle = -std::f32::consts::PI * place as f32 / run as f32;
            let (re, im) = at(from, xs);
            let turned = product((cos(angle), sin(angle)), at(from + half as i32, xs));
            let sign = if i as i32 / run % 2 == 0 { 1.0 } else { -1.0 };
            (re + sign * turned.0, im + sign * turned.1)
        }))
    }
}
