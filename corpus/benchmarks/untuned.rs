// Programs that nobody had in mind when the rules for choosing forms were made.

lift! {
    fn row_wise_products<const N: usize, const M: usize>(a: [[f32; M]; N], b: [[f32; M]; N]) -> [f32; N] {
        zip(a, b) >> map(|(x, y)| dotProduct(x, y))
    }
}

lift! {
    fn column_variances<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; M] {
        a >> transpose >> map(|column| {
            let mean = reduce(add, 0, column) / (len(column) as f32);
            (column >> map(|x| (x - mean) * (x - mean)) >> reduce(add, 0)) / (len(column) as f32)
        })
    }
}

lift! {
    fn divided_by_largest<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| {
            let largest = row >> map(|x| abs(x)) >> reduce(max, 0.00001);
            row >> map(|x| x / largest)
        })
    }
}

lift! {
    fn cumulative_products<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| row >> scanInclusive(mult))
    }
}

lift! {
    fn cumulative_distributions<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| {
            let total = reduce(add, 0, row);
            row >> map(|x| x / total) >> scanInclusive(add)
        })
    }
}

lift! {
    fn entropies<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| 0 - (row >> map(|p| if p > 0 { p * log(p) } else { 0 }) >> reduce(add, 0)))
    }
}

lift! {
    fn polynomials<const N: usize, const M: usize>(a: [[f32; M]; N], c: [f32; 5]) -> [[f32; M]; N] {
        a >> map2(|x| c >> reduce(|value, coefficient| value * x + coefficient, 0))
    }
}

lift! {
    fn checksums<const N: usize, const M: usize>(a: [[i32; M]; N]) -> [i32; N] {
        a >> map(|row| row >> map(|i => x| x * (i as i32 + 1)) >> reduce(add, 17))
    }
}

lift! {
    fn counts_above<const N: usize, const M: usize>(a: [[f32; M]; N], threshold: f32) -> [i32; M] {
        a >> transpose >> map(|column| column >> map(|x| if x > threshold { 1 } else { 0 }) >> reduce(add, 0))
    }
}

lift! {
    fn row_differences<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> pad(1, 0, clamp) >> slide(2, 1)
            >> map(|pair| zip(at(0, pair), at(1, pair)) >> map(|(x, y)| y - x))
    }
}

lift! {
    fn permuted<const N: usize, const M: usize>(a: [[f32; M]; N], places: [i32; M]) -> [[f32; M]; N] {
        a >> map(|row| places >> map(|place| at(place, row)))
    }
}
