//! Programs that users write without a word about who computes what: they must be correct from their high-level form alone, against
//! plain loops. More of them are in `tests/programs/algorithms.rs`.

use lift::ndarray::{Array2, Array3, Array4, Axis};
use lift::{Result, lift};

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

    /// Three kernels: both products are stored before they are multiplied, and not computed again for every row and column.
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

    /// The Fourier transform of 64 numbers with stages of constant geometry (Pease): element `k` meets `k + 32`, and their sum and
    /// turned difference become neighbours. The third component says how many neighbours turn by one angle.
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

/// Whole numbers from -11 to 11 that repeat irregularly.
fn number(position: usize) -> i32 {
    (position as u32).wrapping_mul(2_654_435_761).wrapping_shr(8) as i32 % 23 - 11
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|position| number(position) as f32).collect()
}

fn matrix(rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(row, column)| number(row * columns + column) as f32)
}

fn assert_close(found: f32, expected: f64, what: &str) {
    assert!(
        (f64::from(found) - expected).abs() <= 1e-4 * expected.abs().max(1.0),
        "{what}: {found}, {expected}"
    );
}

#[test]
fn rows_are_summed() -> Result<()> {
    for (n, m) in [(1, 1), (3, 100), (257, 5), (4, 0)] {
        let a = matrix(n, m);
        assert_eq!(row_sums(&a)?, a.sum_axis(Axis(1)), "{n} x {m}");
    }
    Ok(())
}

#[test]
fn layers_are_normalised() -> Result<()> {
    for (n, m) in [(1, 2), (5, 64), (33, 7)] {
        let a = matrix(n, m);
        let (gain, shift) = (numbers(m), numbers(m + 1).split_off(1));
        let found = layer_norm(&gain, &shift, &a)?;
        for (row, found) in a.rows().into_iter().zip(found.rows()) {
            let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / m as f64;
            let variance = row.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / m as f64;
            for (j, found) in found.iter().enumerate() {
                let normal = (f64::from(row[j]) - mean) / (variance + 0.001).sqrt();
                assert_close(
                    *found,
                    normal * f64::from(gain[j]) + f64::from(shift[j]),
                    &format!("{n} x {m}"),
                );
            }
        }
    }
    Ok(())
}

#[test]
fn extremes_and_the_first_position_of_the_smallest_are_found() -> Result<()> {
    for n in [1, 2, 100, 257, 20_001] {
        let a = numbers(n);
        let least = a.iter().copied().fold(f32::MAX, f32::min);
        assert_eq!(extremes(&a)?, (least, a.iter().copied().fold(f32::MIN, f32::max)), "{n} elements");
        let first = a.iter().position(|x| *x == least).unwrap_or_default();
        assert_eq!(argmin(&a)?, first as i32, "{n} elements");
    }
    Ok(())
}

#[test]
fn values_are_counted() -> Result<()> {
    for n in [0, 1, 64, 1000, 4096] {
        let pixels: Vec<u8> =
            (0..n).map(|position| (number(position) * number(position + 7)) as u8).collect();
        let mut expected = vec![0; 256];
        for pixel in &pixels {
            expected[usize::from(*pixel)] += 1;
        }
        assert_eq!(histogram(&pixels)?.to_vec(), expected, "{n} pixels");
        if n % 64 == 0 {
            assert_eq!(histogram_in_parts(&pixels)?.to_vec(), expected, "{n} pixels");
        }
    }
    Ok(())
}

#[test]
fn prefixes_are_summed() -> Result<()> {
    for n in [0, 1, 32, 33, 1000, 4096] {
        let a: Vec<i32> = (0..n).map(number).collect();
        let sums = a.iter().scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        });
        let expected: Vec<i32> = sums.collect();
        assert_eq!(prefix_sums(&a)?.to_vec(), expected, "{n} elements");
        if n % 32 == 0 {
            assert_eq!(prefix_sums_in_chunks(&a)?.to_vec(), expected, "{n} elements");
        }
    }
    Ok(())
}

#[test]
fn a_matrix_is_raised_to_a_power() -> Result<()> {
    for n in [1, 2, 9, 33] {
        let a = Array2::from_shape_fn((n, n), |(i, j)| f32::from(u8::from((i + 2 * j) % (n + 1) == 1)));
        let second = a.dot(&a);
        let fourth = second.dot(&second);
        assert_eq!(square(&a)?, second, "{n}");
        assert_eq!(eighth_power(&a)?, fourth.dot(&fourth), "{n}");
    }
    Ok(())
}

#[test]
fn points_escape() -> Result<()> {
    let (n, m) = (20, 33);
    let ys: Vec<f32> = (0..n).map(|i| i as f32 * 2.0 / n as f32 - 1.0).collect();
    let xs: Vec<f32> = (0..m).map(|j| j as f32 * 3.0 / m as f32 - 2.0).collect();
    let expected = |(i, j): (usize, usize)| {
        let (mut u, mut v, mut count) = (0.0f64, 0.0f64, 0);
        while count < 50 && u * u + v * v <= 4.0 {
            (u, v) = (u * u - v * v + f64::from(xs[j]), 2.0 * u * v + f64::from(ys[i]));
            count += 1;
        }
        count
    };
    // Close to the border of the set a rounding decides; there are few such points.
    let near = |found: &Array2<i32>| {
        found.indexed_iter().filter(|(at, count)| **count == expected(*at)).count() * 50 >= n * m * 49
    };
    assert!(near(&mandelbrot(&ys, &xs)?));
    assert!(near(&mandelbrot_of_positions(n, m)?));
    Ok(())
}

#[test]
fn options_have_prices() -> Result<()> {
    // Hull, Options, Futures, and Other Derivatives: 42 against 40 in half a year, at 10 % and a volatility of 20 %.
    let (call, put) = black_scholes(0.1, 0.2, &[(42.0, 40.0, 0.5), (100.0, 100.0, 1.0)])?;
    for (found, expected) in call.iter().chain(&put).zip([4.76, 13.27, 0.81, 3.75]) {
        assert!((found - expected).abs() < 0.01, "{found}, {expected}");
    }
    let options: Vec<(f32, f32, f32)> =
        (1..300).map(|i| (50.0 + i as f32, 200.0, i as f32 / 100.0)).collect();
    let (call, put) = black_scholes(0.03, 0.3, &options)?;
    for ((call, put), (price, strike, years)) in call.iter().zip(&put).zip(options) {
        let parity = price - strike * (-0.03 * years).exp();
        assert!((call - put - parity).abs() < 1e-3 && *call > -1e-3 && *put > -1e-3, "{call}, {put}");
    }
    Ok(())
}

#[test]
fn overlapping_windows_have_largest_elements() -> Result<()> {
    for (n, m) in [(1, 1), (3, 20), (17, 2)] {
        let a = matrix(2 * n + 1, 2 * m + 1);
        let expected = Array2::from_shape_fn((n, m), |(y, x)| {
            (0..9).map(|k| a[(2 * y + k / 3, 2 * x + k % 3)]).fold(f32::MIN, f32::max)
        });
        assert_eq!(max_pool(&a)?, expected, "{n} x {m}");
    }
    assert!(max_pool(&matrix(4, 5)).is_err());
    Ok(())
}

#[test]
fn filters_see_all_channels() -> Result<()> {
    for (c, f, h, w) in [(1, 1, 1, 1), (3, 4, 5, 7), (2, 3, 16, 9)] {
        let image = Array3::from_shape_fn((c, h, w), |(c, y, x)| number(100 * c + 10 * y + x) as f32);
        let filters =
            Array4::from_shape_fn((f, c, 3, 3), |(f, c, y, x)| number(31 * f + 9 * c + 3 * y + x) as f32);
        let expected = Array3::from_shape_fn((f, h, w), |(f, y, x)| {
            let mut sum = 0.0;
            for (channel, dy, dx) in (0..9 * c).map(|k| (k / 9, k / 3 % 3, k % 3)) {
                let at = ((y + dy).wrapping_sub(1), (x + dx).wrapping_sub(1));
                sum += image.get((channel, at.0, at.1)).unwrap_or(&0.0) * filters[(f, channel, dy, dx)];
            }
            sum
        });
        assert_eq!(convolve_channels(&filters, &image)?, expected, "{c} channels, {f} filters, {h} x {w}");
    }
    Ok(())
}

#[test]
fn products_of_products_are_not_computed_again_and_again() -> Result<()> {
    for n in [1, 7, 40] {
        let (a, b) = (matrix(n, n), matrix(n, n).reversed_axes().mapv(|x| (x * 0.25).round()));
        let expected = a.dot(&b).dot(&b.dot(&a)) + 1.0;
        assert_eq!(product_of_products(&a, &b.as_standard_layout())?, expected, "{n}");
    }
    assert_eq!(product_of_products::SOURCE.matches("kernel __attribute__").count(), 3);
    Ok(())
}

#[test]
fn a_product_is_stored_before_its_rows_are_read_again() -> Result<()> {
    for (n, m, k) in [(1, 1, 1), (5, 33, 9)] {
        let (a, b) = (matrix(n, k) / 16.0, matrix(k, m) / 16.0);
        let products = a.dot(&b);
        let found = attention(&a, &b)?;
        for (row, found) in products.rows().into_iter().zip(found.rows()) {
            let sum: f64 = row.iter().map(|x| f64::from(*x).exp()).sum();
            for (x, found) in row.iter().zip(found) {
                assert_close(*found, f64::from(*x).exp() / sum, &format!("{n} x {m} x {k}"));
            }
        }
    }
    assert_eq!(attention::SOURCE.matches("kernel __attribute__").count(), 3);
    Ok(())
}

#[test]
fn signals_are_transformed_in_stages() -> Result<()> {
    let signal: [(f32, f32); 64] = std::array::from_fn(|i| (number(i) as f32, number(i + 64) as f32));
    let found = fourier(&signal)?;
    for (frequency, (re, im)) in found.iter().enumerate() {
        let terms = signal.iter().enumerate().map(|(time, (x, y))| {
            let (s, c) = (-std::f64::consts::TAU * (frequency * time % 64) as f64 / 64.0).sin_cos();
            (f64::from(*x) * c - f64::from(*y) * s, f64::from(*x) * s + f64::from(*y) * c)
        });
        let expected = terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
        for (found, expected) in [(*re, expected.0), (*im, expected.1)] {
            assert!((f64::from(found) - expected).abs() < 1e-3, "{frequency}: {found}, {expected}");
        }
    }
    // A kernel that makes the input of the first stage, one that is launched for each of the six stages, and one that brings the
    // frequencies in order.
    assert_eq!(fourier::SOURCE.matches("kernel __attribute__").count(), 3);
    Ok(())
}
