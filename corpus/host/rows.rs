// Rows, each computed from numbers about the whole row.

lift! {
    fn softmax_of_rows<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows >> map(|row| {
            let largest = row >> reduce(max, -1e30);
            let powers = row >> map(|x| exp(x - largest));
            let sum = powers >> reduce(add, 0);
            powers >> map(|x| x / sum)
        })
    }

    fn largest_of_rows<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [f32; N] {
        rows >> map(reduce(max, -1e30))
    }

    fn powers_of_rows<const N: usize, const M: usize>(rows: [[f32; M]; N], largest: [f32; N]) -> [[f32; M]; N] {
        zip(rows, largest) >> map(|(row, largest)| row >> map(|x| exp(x - largest)))
    }

    fn sums_of_rows<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [f32; N] { rows >> map(reduce(add, 0)) }

    fn rows_divided<const N: usize, const M: usize>(rows: [[f32; M]; N], by: [f32; N]) -> [[f32; M]; N] {
        zip(rows, by) >> map(|(row, by)| row >> map(|x| x / by))
    }

    fn layer_norm_of_rows<const N: usize, const M: usize>(
        rows: [[f32; M]; N], scale: [f32; M], shift: [f32; M],
    ) -> [[f32; M]; N] where M >= 1 {
        rows >> map(|row| {
            let mean = (row >> reduce(add, 0)) / (M as f32);
            let centred = row >> map(|x| x - mean);
            let variance = (centred >> map(|x| x * x) >> reduce(add, 0)) / (M as f32);
            zip(centred, scale, shift) >> map(|(x, scale, shift)| x / sqrt(variance + 0.00001) * scale + shift)
        })
    }

    fn centred_rows<const N: usize, const M: usize>(rows: [[f32; M]; N], sums: [f32; N]) -> [[f32; M]; N]
    where M >= 1 {
        zip(rows, sums) >> map(|(row, sum)| row >> map(|x| x - sum / (M as f32)))
    }

    fn squares_of_rows<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [f32; N] {
        rows >> map(|row| row >> map(|x| x * x) >> reduce(add, 0))
    }

    fn rows_scaled<const N: usize, const M: usize>(
        rows: [[f32; M]; N], squares: [f32; N], scale: [f32; M], shift: [f32; M],
    ) -> [[f32; M]; N] where M >= 1 {
        zip(rows, squares) >> map(|(row, sum)| {
            let deviation = sqrt(sum / (M as f32) + 0.00001);
            zip(row, scale, shift) >> map(|(x, scale, shift)| x / deviation * scale + shift)
        })
    }

    fn rows_by_norm<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows >> map(|row| row >> map(|x| x / sqrt(row >> map(|y| y * y) >> reduce(add, 0))))
    }

    fn rows_divided_by_root<const N: usize, const M: usize>(rows: [[f32; M]; N], by: [f32; N]) -> [[f32; M]; N] {
        zip(rows, by) >> map(|(row, by)| row >> map(|x| x / sqrt(by)))
    }

    fn box_filter_of_rows<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [[f32; M - 16]; N] where M >= 17 {
        rows >> map(|row| {
            let sums = scanInclusive(add, row);
            zip(sums >> slice(16, M - 16), sums >> slice(0, M - 16)) >> map(|(upper, lower)| (upper - lower) / 16)
        })
    }

    fn prefixes_of_rows<const N: usize, const M: usize>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows >> map(scanInclusive(add))
    }

    fn differences_of_rows<const N: usize, const M: usize>(sums: [[f32; M]; N]) -> [[f32; M - 16]; N] where M >= 17 {
        sums >> map(|sums| zip(sums >> slice(16, M - 16), sums >> slice(0, M - 16)) >> map(|(upper, lower)| (upper - lower) / 16))
    }
}
