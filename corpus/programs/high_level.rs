// Programs that users write without a word about who computes what. More of them are in `algorithms.rs`.

lift! {
    fn row_sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] { a >> map(reduce(add, 0)) }

    fn layer_norm<const N: usize, const M: usize>(gain: [f32; M], shift: [f32; M], a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| {
            let mean = (row >> reduce(add, 0)) / (M as f32);
            let variance = (row >> map(|x| (x - mean) * (x - mean)) >> reduce(add, 0)) / (M as f32);
            let scale = rsqrt(variance + 0.001);
            zip(row, gain, shift) >> map(|x, g, s| (x - mean) * scale * g + s)
        })
    }

    fn extremes<const N: usize>(a: [f32; N]) -> (f32, f32) { (reduce(min, 1e30, a), reduce(max, -1e30, a)) }

    #[assoc]
    #[comm]
    fn nearer(a: (f32, i32), b: (f32, i32)) -> (f32, i32) {
        if b.0 < a.0 || b.0 == a.0 && b.1 < a.1 { b } else { a }
    }

    /// The position of the smallest element of a whole array.
    fn argmin<const N: usize>(a: [f32; N]) -> i32 {
        let best = zip(a, generate(N, |i| i as i32)) >> reduce(nearer, (1e30, 2147483647));
        best.1
    }

    /// A bin per work-item.
    fn histogram<const N: usize>(pixels: [u8; N]) -> [i32; 256] {
        generate(256, |bin| pixels >> map(|p| if p as i32 == bin as i32 { 1 } else { 0 }) >> reduce(add, 0))
    }

    /// Parts of the picture counted by themselves, then added up.
    fn histogram_in_parts<const N: usize>(pixels: [u8; N]) -> [i32; 256] where N % 64 == 0 {
        pixels >> split(64)
            >> map(|part| generate(256, |bin| part >> map(|p| if p as i32 == bin as i32 { 1 } else { 0 }) >> reduce(add, 0)))
            >> transpose >> map(reduce(add, 0))
    }

    fn prefix_sums<const N: usize>(a: [i32; N]) -> [i32; N] { a >> scanInclusive(add) }

    /// Prefix sums of chunks, of the chunks' sums, and both put together.
    fn prefix_sums_in_chunks<const N: usize>(a: [i32; N]) -> [i32; N] where N % 32 == 0 {
        let chunks = a >> split(32);
        let before = chunks >> map(reduce(add, 0)) >> scan(add, 0);
        zip(before, chunks) >> map(|(offset, chunk)| chunk >> scanInclusive(add) >> map(|x| x + offset)) >> join
    }

    fn square<const N: usize>(a: [[f32; N]; N]) -> [[f32; N]; N] {
        a >> map(|row| a >> transpose >> map(|col| zip(row, col) >> map(mult) >> reduce(add, 0)))
    }

    /// The eighth power of a matrix.
    fn eighth_power<const N: usize>(a: [[f32; N]; N]) -> [[f32; N]; N] { a >> iterate(3, square) }

    /// How long every point stays near the origin.
    fn mandelbrot<const N: usize, const M: usize>(ys: [f32; N], xs: [f32; M]) -> [[i32; M]; N] {
        ys >> map(|y| xs >> map(|x| {
            let z = repeat(50, 0) >> reduceSeq(|(u, v, count), step|
                if u * u + v * v > 4 { (u, v, count) } else { (u * u - v * v + x, 2 * u * v + y, count + 1) }, (0, 0, 0));
            z.2
        }))
    }

    /// The same from nothing but positions.
    fn mandelbrot_of_positions(n: size, m: size) -> [[i32; m]; n] {
        generate(n, |i| generate(m, |j| {
            let x = (j as f32) * 3.0 / (m as f32) - 2;
            let y = (i as f32) * 2.0 / (n as f32) - 1;
            let z = repeat(50, 0) >> reduceSeq(|(u, v, count), step|
                if u * u + v * v > 4 { (u, v, count) } else { (u * u - v * v + x, 2 * u * v + y, count + 1) }, (0, 0, 0));
            z.2
        }))
    }

    fn normal(x: f32) -> f32 {
        let t = 1 / (1 + 0.2316419 * abs(x));
        let tail = 0.39894228 * exp(-0.5 * x * x) * t
            * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        if x < 0 { tail } else { 1 - tail }
    }

    /// The prices of call and put options (Black and Scholes).
    fn black_scholes<const N: usize>(rate: f32, volatility: f32, options: [(f32, f32, f32); N]) -> ([f32; N], [f32; N]) {
        options >> map(|(price, strike, years)| {
            let spread = volatility * sqrt(years);
            let d1 = (log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
            let d2 = d1 - spread;
            let discounted = strike * exp(-rate * years);
            let call = price * normal(d1) - discounted * normal(d2);
            (call, call + discounted - price)
        }) >> unzip
    }

    fn max_pool<const N: usize, const M: usize>(a: [[f32; 2 * M + 1]; 2 * N + 1]) -> [[f32; M]; N] {
        a >> slide2(3, 2) >> map2(|window| window >> join >> reduce(max, -1e30))
    }

    /// Every patch of all channels as a row, and a matrix product with the filters.
    fn convolve_channels<const C: usize, const F: usize, const H: usize, const W: usize>(
        filters: [[[[f32; 3]; 3]; C]; F], image: [[[f32; W]; H]; C]) -> [[[f32; W]; H]; F]
    {
        let patches = image >> map(|channel| channel >> padConstant2(1, 1, 0) >> slide2(3, 1))
            >> transpose >> map(transpose) >> map(map(map(join) >> join)) >> join;
        filters >> map(|filter| {
            let weights = filter >> map(join) >> join;
            patches >> map(|patch| zip(weights, patch) >> map(mult) >> reduce(add, 0)) >> split(W)
        })
    }

    fn product<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a >> map(|row| transpose(b) >> map(|col| zip(row, col) >> map(mult) >> reduce(add, 0)))
    }

    /// Three kernels: both products are stored before they are multiplied, and not computed again for every
    /// row and column.
    fn product_of_products<const N: usize>(a: [[f32; N]; N], b: [[f32; N]; N]) -> [[f32; N]; N] {
        product(product(a, b), product(b, a)) >> map2(|x| x + 1)
    }

    /// The softmax of every row of a product, which is read three times.
    fn attention<const N: usize, const M: usize, const K: usize>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        product(a, b) >> map(|row| {
            let most = row >> reduce(max, -1e30);
            let sum = row >> map(|x| exp(x - most)) >> reduce(add, 0);
            row >> map(|x| exp(x - most) / sum)
        })
    }

    fn turned(x: (f32, f32), angle: f32) -> (f32, f32) {
        let (c, s) = (cos(angle), sin(angle));
        (x.0 * c - x.1 * s, x.0 * s + x.1 * c)
    }

    /// The Fourier transform of 64 numbers with stages of constant geometry (Pease): element `k` meets
    /// `k + 32`, and their sum and turned difference become neighbours. The third component says how many
    /// neighbours turn by one angle.
    fn fourier(signal: [(f32, f32); 64]) -> [(f32, f32); 64] {
        let stages = signal >> map(|re, im| (re, im, 1)) >> iterate(6, |stage| {
            let halves = stage >> split(32);
            zip(at(0, halves), at(1, halves), generate(32, |k| k as i32)) >> map(|(a, b, k)| {
                let difference = turned((a.0 - b.0, a.1 - b.1), -0.09817477 * ((k / a.2 * a.2) as f32));
                [(a.0 + b.0, a.1 + b.1, 2 * a.2), (difference.0, difference.1, 2 * a.2)]
            }) >> join
        });
        stages >> gather(|k| sum(6, |bit| k / pow(2, bit) % 2 * pow(2, 5 - bit))) >> map(|re, im, span| (re, im))
    }
}
