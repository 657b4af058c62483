// Programs whose positions, numbers and orders come from data: tables, clusters, sparse rows, streams, ranks.

lift! {
    /// A grey image whose levels are spread evenly: each pixel becomes the share of the pixels that are not
    /// lighter (Gonzalez, Woods, Digital Image Processing, section 3.3).
    fn equalised<const N: usize, const M: usize>(image: [[u8; M]; N]) -> [[u8; M]; N] {
        let up_to = image >> join >> histogram(256) >> scanInclusive(add);
        let total = (N * M) as u32;
        let first = up_to >> map(|c| if c > 0 { c } else { total }) >> reduce(min, total);
        image >> map2(|x| ((at(x, up_to) - first) * 255 / max(total - first, 1)) as u8)
    }

    fn nearest<const N: usize, const K: usize>(points: [(f32, f32); N], centres: [(f32, f32); K]) -> [u32; N]
        where K >= 1
    {
        points >> map(|x, y| centres >> map(|p, q| (x - p) * (x - p) + (y - q) * (y - q)) >> argmin)
    }

    /// k-means in the plane (Lloyd, IEEE Transactions on Information Theory, 1982): each point belongs to the
    /// nearest centre, and each centre becomes the mean of its points. A centre without points stays.
    fn k_means<const N: usize>(
        rounds: usize,
        points: [(f32, f32); N],
        start: [(f32, f32); 5],
    ) -> [(f32, f32); 5] {
        start >> iterate(rounds, |centres| {
            let keys = nearest(points, centres);
            let totals = reduceByKey(
                5,
                |(sx, sy, n), (x, y)| (sx + x, sy + y, n + 1),
                (0.0, 0.0, 0u32),
                keys,
                points,
            );
            zip(totals, centres)
                >> map(|(sx, sy, n), old| if n == 0 { old } else { (sx / n as f32, sy / n as f32) })
        })
    }

    fn nearest_of<const N: usize, const K: usize, const F: usize>(points: [[f32; F]; N], centres: [[f32; F]; K]) -> [u32; N]
        where K >= 1
    {
        let distances = |p| centres >> map(|c| zip(p, c) >> map(|x, y| (x - y) * (x - y)) >> reduce(add, 0));
        points >> map(distances >> argmin)
    }

    /// The same with any number of coordinates: an entry of the table is a point and a number.
    fn clusters<const N: usize, const F: usize>(
        rounds: usize,
        points: [[f32; F]; N],
        start: [[f32; F]; 7],
    ) -> [[f32; F]; 7] {
        start >> iterate(rounds, |centres| {
            let keys = nearest_of(points, centres);
            let totals = reduceByKey(
                7,
                |(sum, n), p| (zip(sum, p) >> map(add), n + 1),
                (repeat(F, 0.0), 0u32),
                keys,
                points,
            );
            zip(totals, centres)
                >> map(|(sum, n), old| if n == 0 { old } else { sum >> map(|x| x / n as f32) })
        })
    }

    /// A sparse matrix times a vector: row `i` has the elements from `offsets[i]` up to `offsets[i + 1]`.
    fn csr_product<const N: usize, const M: usize, const K: usize>(
        offsets: [u32; N + 1],
        columns: [u32; K],
        values: [f64; K],
        x: [f64; M],
    ) -> [f64; N] {
        zip(columns, values) >> map(|j, value| value * at(j, x)) >> reduceSegments(add, 0, offsets)
    }

    /// The ranks of pages after some rounds (Brin, Page, 1998): page `i` is linked from
    /// `sources[offsets[i]..offsets[i + 1]]`, and has `links[i]` links to others. Who has none links to all.
    fn page_ranks<const N: usize, const K: usize>(
        rounds: usize,
        damping: f64,
        offsets: [u32; N + 1],
        sources: [u32; K],
        links: [u32; N],
    ) -> [f64; N] {
        repeat(N, 1.0 / N as f64) >> iterate(rounds, |ranks| {
            let passed = zip(ranks, links) >> map(|rank, n| if n > 0 { rank / n as f64 } else { 0.0 }) >> store;
            let lost = zip(ranks, links) >> map(|rank, n| if n > 0 { 0.0 } else { rank }) >> reduce(add, 0.0);
            sources
                >> map(|j| at(j, passed))
                >> reduceSegments(add, 0, offsets)
                >> map(|sum| (1.0 - damping + damping * lost) / N as f64 + damping * sum)
        })
    }

    /// Photons that have energy left are moved along their directions and lose some; the others are gone.
    fn moved<const N: usize>(photons: [(f32, f32, f32); N]) -> ([(f32, f32, f32); N], u32) {
        let (alive, count) = photons >> filter(|_, _, energy| energy > 0.25);
        let next = alive >> map(|i => (place, direction, energy)|
            if i as u32 < count { (place + direction, direction, 0.5 * energy) } else { (0.0, 0.0, 0.0) });
        (next, count)
    }

    /// The different elements in ascending order, each once, with zeros behind them, and how many there are.
    fn unique<const N: usize>(xs: [i32; N]) -> ([i32; N], u32) {
        let sorted = sort(xs);
        let (kept, count) = sorted
            >> map(|i => x| (x, i == 0 || atOr(i - 1, x, sorted) != x))
            >> filter(|_, is_first| is_first);
        (kept >> map(|i => (x, _)| if i as u32 < count { x } else { 0 }), count)
    }

    /// The runs of equal elements: the value and the length of each, with zeros behind them.
    fn runs<const N: usize>(xs: [u8; N]) -> [(u8, u32); N] where N >= 1 {
        let run = xs
            >> map(|i => x| if i == 0 || atOr(i - 1, x, xs) == x { 0u32 } else { 1 })
            >> scanInclusive(add);
        let lengths = reduceByKey(N, add, 0u32, run, repeat(N, 1));
        zip(scatterTo(N, 0, run, xs), lengths)
    }

    fn sorted<const N: usize>(keys: [u32; N]) -> [u32; N] { sort(keys) }

    /// Ones at the labels, a row for each.
    fn one_hot<const N: usize>(classes: usize, labels: [u32; N]) -> [[f32; classes]; N] {
        labels >> map(|label| scatterTo(classes, 0.0, [label], [1.0]))
    }

    /// How many labels have one of the `k` greatest scores of their rows.
    fn among_best<const N: usize, const M: usize>(k: usize, scores: [[f32; M]; N], labels: [u32; N]) -> u32
        where k >= 1 && k <= M
    {
        zip(scores, labels)
            >> map(|row, label| if at(label, row) >= last(topK(k, row)) { 1u32 } else { 0 })
            >> reduce(add, 0)
    }

    /// How often rows with a label have their greatest score at each class.
    fn confusion<const N: usize, const M: usize>(scores: [[f32; M]; N], labels: [u32; N]) -> [[u32; M]; M]
        where M >= 1
    {
        zip(scores, labels) >> map(|row, label| label * M as u32 + argmax(row)) >> histogram(M * M) >> split(M)
    }
}
