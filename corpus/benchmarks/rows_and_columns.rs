// Programs whose rows or columns are reduced, as one writes them first.

lift! {
    fn row_sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| row >> reduce(add, 0))
    }
}

lift! {
    fn row_maxima<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| row >> reduce(max, -100000))
    }
}

lift! {
    fn row_norms<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| sqrt(row >> map(|x| x * x) >> reduce(add, 0)))
    }
}

lift! {
    fn row_variances<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; N] {
        a >> map(|row| {
            let mean = reduce(add, 0, row) / (len(row) as f32);
            (row >> map(|x| (x - mean) * (x - mean)) >> reduce(add, 0)) / (len(row) as f32)
        })
    }
}

lift! {
    fn softmax<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a >> map(|row| {
            let largest = row >> reduce(max, -100000);
            let powers = row >> map(|x| exp(x - largest));
            let total = powers >> reduce(add, 0);
            powers >> map(|power| power / total)
        })
    }
}

lift! {
    fn layer_norm<const N: usize, const M: usize>(a: [[f32; M]; N], gain: [f32; M], bias: [f32; M]) -> [[f32; M]; N] {
        a >> map(|row| {
            let mean = reduce(add, 0, row) / (len(row) as f32);
            let variance = (row >> map(|x| (x - mean) * (x - mean)) >> reduce(add, 0)) / (len(row) as f32);
            let scale = 1.0 / sqrt(variance + 0.00001);
            zip(row, gain, bias) >> map(|(x, g, b)| (x - mean) * scale * g + b)
        })
    }
}

lift! {
    fn column_sums<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; M] {
        a >> transpose >> map(|column| column >> reduce(add, 0))
    }
}

lift! {
    fn column_maxima<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [f32; M] {
        a >> transpose >> map(|column| column >> reduce(max, -100000))
    }
}

lift! {
    fn matrix_vector_transposed<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; N]) -> [f32; M] {
        a >> transpose >> map(|column| dotProduct(column, x))
    }
}

lift! {
    fn squared_residuals<const N: usize, const M: usize>(a: [[f32; M]; N], x: [f32; M], y: [f32; N]) -> f32 {
        zip(a, y) >> map(|(row, y)| { let residual = dotProduct(row, x) - y; residual * residual }) >> reduce(add, 0)
    }
}

lift! {
    fn row_extremes<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; 2]; N] {
        a >> map(|row| [reduce(min, f32::MAX, row), reduce(max, f32::MIN, row)])
    }
}

lift! {
    fn column_extremes<const N: usize, const M: usize>(a: [[f32; M]; N]) -> [[f32; 2]; M] {
        a >> transpose >> map(|column| [reduce(min, f32::MAX, column), reduce(max, f32::MIN, column)])
    }
}
