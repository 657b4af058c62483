//! How good the choice among the forms of a program is: every form, forced, over a grid of sizes, beside the
//! one that the runtime chooses.
//!
//! The regret of a choice says how much longer it takes than the best form: `time / best - 1`. The results of
//! all forms are compared with the results of the plain form ([`Rounding`]).

use std::process::ExitCode;

use lift::{Device, Profile, lift};

use crate::error::{Error, Result};
use crate::generated::Elements;
use crate::options::{Options, Question};

include!("../../corpus/benchmarks/rows_and_columns.rs");
include!("../../corpus/benchmarks/matrix_vector.rs");
include!("../../corpus/benchmarks/triangular.rs");
include!("../../corpus/benchmarks/normal_product.rs");
include!("../../corpus/benchmarks/transpose.rs");
include!("../../corpus/benchmarks/right_hand_sides.rs");
include!("../../corpus/benchmarks/element_wise.rs");
include!("../../corpus/benchmarks/jacobi.rs");
include!("../../corpus/benchmarks/convolution.rs");
include!("../../corpus/benchmarks/separated.rs");
include!("../../corpus/benchmarks/stencils.rs");
include!("../../corpus/benchmarks/untuned.rs");
include!("../../corpus/benchmarks/stages.rs");

/// The name of the form that keeps the order of the program.
const PLAIN: &str = "plain";

/// Runs before the timed ones.
const WARM_UP: usize = 3;

/// A program at one size: its result, and what its kernels took.
type Run = Box<dyn FnMut() -> lift::Result<(Vec<f32>, Profile)>>;

/// A program at one size: first in the form that is chosen, then in each form by its name.
type Runs = Vec<(String, Run)>;

/// Which forms are measured beside the chosen one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    All,
    Plain,
}

/// Where the numbers of a program are rounded, which says how far the results of two of its forms may be from
/// each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rounding {
    /// `f32` holds all intermediate values: they are whole numbers, and not too large. Results are the same
    /// in any order of the additions.
    Nowhere,
    /// Every element of a result is rounded a few times, but no sum is.
    InElements,
    /// The terms of sums over the elements of a row, and these sums.
    InRows,
    /// The terms of sums over the elements of a column, and these sums.
    InColumns,
}

/// More roundings than those of all functions on the way to an element of a result.
const IN_FUNCTIONS: usize = 16;

impl Rounding {
    /// The most that two correct results may differ by, relative to the largest number of the result, for a
    /// matrix with these numbers of rows and columns.
    ///
    /// The sum of `n` terms with one sign, added in any order, is wrong by at most `n` times half of
    /// `EPSILON`, relative to the sum (Higham, "Accuracy and Stability of Numerical Algorithms", 2002,
    /// section 4.2). If two forms are wrong in different directions, they differ by `n * EPSILON` at most. A
    /// bound that grows with the square root of `n` would be too small: it is for errors that are independent
    /// and partly cancel. Here the same few terms are added again and again, and their errors are the same
    /// for as long as the sum lies between the same powers of two.
    fn tolerance(self, [rows, columns]: [usize; 2]) -> f32 {
        let terms = match self {
            Rounding::Nowhere => return 0.0,
            Rounding::InElements => 0,
            Rounding::InRows => columns,
            Rounding::InColumns => rows,
        };
        (terms + IN_FUNCTIONS) as f32 * f32::EPSILON
    }
}

struct Program {
    name: &'static str,
    /// Whether it has one size instead of two.
    is_square: bool,
    rounding: Rounding,
    /// The program for matrices with these numbers of rows and columns.
    prepare: fn(&Device, [usize; 2]) -> lift::Result<Runs>,
}

/// `program!("row sums", row_sums, false, Nowhere, (a: matrix))`: the forms of a program with arguments of
/// these kinds; numbers stand after a `;`.
macro_rules! program {
    (
        $name:literal,
        $path:ident,
        $is_square:literal,
        $rounding:ident,
        ($($argument:ident: $kind:ident),* $(; $($number:literal),+)?)
    ) => {
        Program {
            name: $name,
            is_square: $is_square,
            rounding: Rounding::$rounding,
            prepare: |device, sizes| {
                let kernel = $path::on(device)?.unspecialised();
                $(let $argument = device.upload(&inputs::$kind(sizes))?;)*
                let mut runs: Runs = Vec::new();
                let chosen = kernel.clone();
                let names = kernel.forms().into_iter().map(|form| form.name);
                let forced = names.map(|name| Ok((name.clone(), kernel.clone().form(&name)?)));
                let forced = forced.collect::<lift::Result<Vec<_>>>()?;
                for (name, kernel) in [("chosen".to_owned(), chosen)].into_iter().chain(forced) {
                    $(let $argument = $argument.clone();)*
                    runs.push((name, Box::new(move || {
                        let (result, profile) = kernel.profile($(&$argument),* $(, $($number),+)?)?;
                        Ok((result.elements(), profile))
                    })));
                }
                Ok(runs)
            },
        }
    };
}

/// The programs.
const PROGRAMS: &[Program] = &[
    program!("matrix-vector", matrix_vector, false, Nowhere, (a: matrix, x: row)),
    program!("row sums", row_sums, false, Nowhere, (a: matrix)),
    program!("row maxima", row_maxima, false, Nowhere, (a: matrix)),
    program!("row norms", row_norms, false, InElements, (a: matrix)),
    program!("row variances", row_variances, false, InRows, (a: matrix)),
    program!("softmax", softmax, false, InRows, (a: matrix)),
    program!("layer norm", layer_norm, false, InRows, (a: matrix, gain: row, bias: row)),
    program!("squared residuals", squared_residuals, false, InColumns, (a: matrix, x: row, y: column)),
    program!("extremes of rows", row_extremes, false, Nowhere, (a: matrix)),
    program!("extremes of columns", column_extremes, false, Nowhere, (a: matrix)),
    program!("triangular", trmv, true, Nowhere, (m: triangle, v: row)),
    program!("A^T (A x)", atax, false, Nowhere, (a: matrix, x: row)),
    program!("column sums", column_sums, false, Nowhere, (a: matrix)),
    program!("column maxima", column_maxima, false, Nowhere, (a: matrix)),
    program!("matrix-vector, transposed", matrix_vector_transposed, false, Nowhere, (a: matrix, x: column)),
    program!("transpose", transpose_high_level, false, Nowhere, (a: matrix)),
    program!("matrix-vectors, 4 vectors", several_products, false, Nowhere, (a: matrix, b: four_columns)),
    program!("matrix-vectors, 8 vectors", several_products, false, Nowhere, (a: matrix, b: eight_columns)),
    program!("matrix-vectors, 64 vectors", several_products, false, Nowhere, (a: matrix, b: many_columns)),
    program!("saxpy", saxpy, false, Nowhere, (x: flat, y: flat; 3.0)),
    program!("three arrays to two", three_to_two, false, Nowhere, (x: flat, y: flat, z: flat)),
    program!("Jacobi 3-point", line_high_level, false, Nowhere, (a: flat)),
    program!("Jacobi 5-point", five_high_level, false, InElements, (a: matrix)),
    program!("Jacobi 9-point", nine_high_level, false, InElements, (a: matrix)),
    program!("heated chip", heated, false, Nowhere, (a: matrix, power: matrix)),
    program!("7 points of a box", seven_points, false, Nowhere, (a: planes)),
    program!("17x17 convolution", conv, false, Nowhere, (a: matrix, w: window)),
    program!("17 convolution, rows", rows_high_level, false, Nowhere, (a: matrix, w: weights)),
    program!("17 convolution, columns", columns_high_level, false, Nowhere, (a: matrix, w: weights)),
    program!("17+17 convolution", both_high_level, false, Nowhere, (a: matrix, w: two_weights)),
    program!("row-wise products", row_wise_products, false, Nowhere, (a: matrix, b: matrix)),
    program!("column variances", column_variances, false, InColumns, (a: matrix)),
    program!("rows divided by their largest", divided_by_largest, false, InElements, (a: matrix)),
    program!("cumulative products", cumulative_products, false, Nowhere, (a: signs)),
    program!("cumulative distributions", cumulative_distributions, false, InRows, (a: positive)),
    program!("entropies", entropies, false, InRows, (a: positive)),
    program!("polynomials", polynomials, false, Nowhere, (a: matrix, c: coefficients)),
    program!("checksums", checksums, false, Nowhere, (a: whole_matrix)),
    program!("counts above a threshold", counts_above, false, Nowhere, (a: matrix; 0.5)),
    program!("differences of rows", row_differences, false, Nowhere, (a: matrix)),
    program!("permuted rows", permuted, false, Nowhere, (a: matrix, places: permutation)),
    program!("attention", attention, false, InRows, (q: queries, k: keys, v: keys)),
    program!("two layers", two_layers, false, Nowhere, (x: queries, a: keys, b: last_layer)),
    program!("nearest distances", nearest_distances, false, Nowhere, (points: queries, centres: keys)),
    program!("normalised columns", normalised_columns, false, InColumns, (a: matrix)),
    program!("products of columns", column_products, false, Nowhere, (a: matrix, b: queries)),
];

/// Arguments of small whole numbers, whose sums `f32` holds.
mod inputs {
    use lift::ndarray::{Array1, Array2, Array3};

    pub(super) fn matrix([rows, columns]: [usize; 2]) -> Array2<f32> {
        Array2::from_shape_fn((rows, columns), |(row, column)| ((row * 7 + column * 5) % 3) as f32 - 1.0)
    }

    pub(super) fn whole_matrix(sizes: [usize; 2]) -> Array2<i32> {
        matrix(sizes).mapv(|number| number as i32)
    }

    pub(super) fn positive(sizes: [usize; 2]) -> Array2<f32> {
        matrix(sizes) + 2.0
    }

    /// Ones with either sign, so that no product of them is large.
    pub(super) fn signs(sizes: [usize; 2]) -> Array2<f32> {
        matrix(sizes).mapv(|number| if number < 0.0 { -1.0 } else { 1.0 })
    }

    pub(super) fn flat(sizes: [usize; 2]) -> Array1<f32> {
        matrix(sizes).flatten().into_owned()
    }

    pub(super) fn four_columns([_, columns]: [usize; 2]) -> Array2<f32> {
        matrix([columns, 4])
    }

    pub(super) fn eight_columns([_, columns]: [usize; 2]) -> Array2<f32> {
        matrix([columns, 8])
    }

    pub(super) fn many_columns([_, columns]: [usize; 2]) -> Array2<f32> {
        matrix([columns, 64])
    }

    /// A row of 64 numbers for each row of the matrix.
    pub(super) fn queries([rows, _]: [usize; 2]) -> Array2<f32> {
        matrix([rows, 64])
    }

    /// The same for each column.
    pub(super) fn keys([_, columns]: [usize; 2]) -> Array2<f32> {
        matrix([columns, 64])
    }

    /// Ten rows with a number for each column.
    pub(super) fn last_layer([_, columns]: [usize; 2]) -> Array2<f32> {
        matrix([10, columns])
    }

    pub(super) fn coefficients(_: [usize; 2]) -> Array1<f32> {
        Array1::from(vec![1.0, -2.0, 3.0, 1.0, -1.0])
    }

    /// The positions in a row, each once, neighbours far apart: no length is a multiple of this prime.
    pub(super) fn permutation([_, columns]: [usize; 2]) -> Array1<i32> {
        Array1::from_shape_fn(columns, |position| (position * 1_000_003 % columns) as i32)
    }

    pub(super) fn triangle([rows, _]: [usize; 2]) -> Array1<f32> {
        Array1::from_shape_fn(rows * (rows + 1) / 2, |position| (position % 3) as f32 - 1.0)
    }

    /// The matrix in planes of as many rows as one can cut it into, up to 64.
    pub(super) fn planes([rows, columns]: [usize; 2]) -> Array3<f32> {
        let height = (1..=64).rev().find(|height| rows % height == 0).unwrap_or(1);
        let planes = rows / height;
        Array3::from_shape_fn((planes, height, columns), |(plane, row, column)| {
            (((plane * height + row) * 7 + column * 5) % 3) as f32 - 1.0
        })
    }

    pub(super) fn window(_: [usize; 2]) -> Array2<f32> {
        matrix([17, 17])
    }

    pub(super) fn weights(_: [usize; 2]) -> Array1<f32> {
        row([17, 17])
    }

    pub(super) fn two_weights(_: [usize; 2]) -> Array2<f32> {
        matrix([2, 17])
    }

    pub(super) fn row([_, columns]: [usize; 2]) -> Array1<f32> {
        Array1::from_shape_fn(columns, |position| (position % 7) as f32 - 3.0)
    }

    pub(super) fn column([rows, _]: [usize; 2]) -> Array1<f32> {
        Array1::from_shape_fn(rows, |position| (position % 5) as f32 - 2.0)
    }
}

/// Rows and columns: large, small, thin, flat, prime, and beside powers of two.
const FULL: &[[usize; 2]] = &[
    [8192, 8192],
    [4096, 4096],
    [4099, 4099],
    [4096, 1024],
    [4096, 1000],
    [4096, 513],
    [4096, 511],
    [4096, 256],
    [4096, 128],
    [4096, 64],
    [4096, 33],
    [4096, 31],
    [65536, 64],
    [65536, 256],
    [262144, 32],
    [1048576, 33],
    [1024, 65536],
    [64, 65536],
    [16, 1048576],
    [1, 1048576],
    [127, 8191],
    [31, 509],
    [7, 101],
    [1000, 1000],
];

/// The same for processors.
const QUICK: &[[usize; 2]] = &[
    [2048, 2048],
    [1021, 1021],
    [2048, 1000],
    [4096, 128],
    [4096, 33],
    [65536, 32],
    [262144, 9],
    [64, 16384],
    [16, 65536],
    [1, 1048576],
    [127, 1021],
    [31, 509],
    [7, 101],
];

const TINY: &[[usize; 2]] = &[[33, 129], [5, 513], [64, 31]];

/// One program at one size.
struct Row {
    name: &'static str,
    sizes: [usize; 2],
    /// The name of the chosen form.
    chosen: String,
    /// Milliseconds of each form, of the plain one last.
    forms: Vec<(String, f64)>,
}

impl Row {
    fn time(&self) -> f64 {
        let chosen = self.forms.iter().find(|(name, _)| *name == self.chosen);
        chosen.map_or(f64::NAN, |(_, time)| *time)
    }

    fn best(&self) -> f64 {
        self.forms.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min)
    }

    fn plain(&self) -> f64 {
        self.forms.last().map_or(f64::NAN, |(_, time)| *time)
    }

    fn regret(&self) -> f64 {
        self.time() / self.best() - 1.0
    }
}

/// Prints the table, and what it comes to.
pub(crate) fn print(device: &Device, options: &Options) -> Result<ExitCode> {
    let grid = options.scale.pick(FULL, QUICK, TINY);
    let beside = if options.question == Question::Gain { Beside::Plain } else { Beside::All };
    let mut rows = Vec::new();
    println!("| program | size | chosen | ms | forms ms | to plain | regret |");
    println!("| --- | --- | --- | --: | --- | --: | --: |");
    for program in PROGRAMS {
        for &[height, width] in grid {
            let sizes = if program.is_square { [width.min(8192); 2] } else { [height, width] };
            if !options.wants(program.name, &shown(sizes)) {
                continue;
            }
            let row = measure(program, sizes, device, (options.runs, beside))?;
            let forms: Vec<String> =
                row.forms.iter().map(|(name, time)| format!("{name} {time:.4}")).collect();
            println!(
                "| {} | {} | {} | {:.4} | {} | {:.2} | {:.0} % |",
                row.name,
                shown(row.sizes),
                row.chosen,
                row.time(),
                forms.join(", "),
                row.plain() / row.time(),
                100.0 * row.regret()
            );
            rows.push(row);
        }
    }
    summary(&rows);
    Ok(ExitCode::SUCCESS)
}

fn summary(rows: &[Row]) {
    let mut regrets: Vec<f64> = rows.iter().map(Row::regret).collect();
    regrets.sort_by(f64::total_cmp);
    let logarithms: f64 = rows.iter().map(|row| (row.plain() / row.time()).ln()).sum();
    let slower = rows.iter().filter(|row| row.time() > 1.05 * row.plain()).count();
    println!(
        "\n{} rows: {:.2} times as fast as the plain form (geometric mean), {slower} slower than it by more \
         than 5 %; median regret {:.1} %, largest {:.0} %",
        rows.len(),
        (logarithms / rows.len().max(1) as f64).exp(),
        100.0 * regrets.get(regrets.len() / 2).copied().unwrap_or(0.0),
        100.0 * regrets.last().copied().unwrap_or(0.0)
    );
}

fn measure(
    program: &Program,
    sizes: [usize; 2],
    device: &Device,
    (runs, beside): (usize, Beside),
) -> Result<Row> {
    let failed = |error: lift::Error| Error::Program(format!("{}: {error}", program.name));
    let mut contestants = (program.prepare)(device, sizes).map_err(failed)?;
    let (_, mut free) = contestants.remove(0);
    let (_, Profile { form: chosen, .. }) = free().map_err(failed)?;
    contestants.retain(|(name, _)| beside == Beside::All || *name == chosen || name == PLAIN);
    let mut reference: Option<Vec<f32>> = None;
    let mut times = vec![Vec::new(); contestants.len()];
    let mut unable = vec![false; contestants.len()];
    // The plain form, which is the last one, runs first: the others are compared with it.
    for position in (0..contestants.len()).rev() {
        match (contestants[position].1)() {
            Ok((result, _)) => match &reference {
                None => reference = Some(result),
                Some(expected) => check(program, sizes, &contestants[position].0, &result, expected)?,
            },
            // Its guards are for other sizes.
            Err(lift::Error::Form { .. }) => unable[position] = true,
            Err(error) => return Err(failed(error)),
        }
    }
    for round in 0..WARM_UP + runs {
        for (position, (_, run)) in contestants.iter_mut().enumerate() {
            if !unable[position] {
                let (_, profile) = run().map_err(failed)?;
                if round >= WARM_UP {
                    times[position].push(profile.total().as_secs_f64() * 1e3);
                }
            }
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    let names = contestants.into_iter().map(|(name, _)| name);
    let forms = names.zip(times).filter_map(|(name, times)| Some((name, median(times)?))).collect();
    Ok(Row { name: program.name, sizes, chosen, forms })
}

/// Sizes as the table shows them.
fn shown([rows, columns]: [usize; 2]) -> String {
    format!("{rows} x {columns}")
}

fn check(program: &Program, sizes: [usize; 2], form: &str, found: &[f32], expected: &[f32]) -> Result<()> {
    if are_close(found, expected, program.rounding.tolerance(sizes)) {
        return Ok(());
    }
    let problem = format!("{}, {}: the form `{form}` is wrong", program.name, shown(sizes));
    Err(Error::Inconsistent(problem))
}

/// Whether results differ by at most this much of the largest expected number. A NaN is a difference.
fn are_close(found: &[f32], expected: &[f32], tolerance: f32) -> bool {
    let largest = expected.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    let is_close = |(x, y): (&f32, &f32)| (x - y).abs() <= tolerance * largest;
    found.len() == expected.len() && found.iter().zip(expected).all(is_close)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum that `entropies` computes for a row, twice: in order, and as `parts` partial sums.
    fn entropies(columns: usize, parts: usize) -> [f32; 2] {
        let row = inputs::positive([1, columns]);
        let terms: Vec<f32> = row.iter().map(|p| p * p.ln()).collect();
        let part = |first| terms.iter().skip(first).step_by(parts).sum::<f32>();
        [terms.iter().sum(), (0..parts).map(part).sum()]
    }

    #[test]
    fn long_sums_of_rounded_terms_may_differ_by_more_than_short_ones() {
        for columns in [509, 8191, 1 << 20] {
            let [in_order, in_parts] = entropies(columns, 128);
            let tolerance = Rounding::InRows.tolerance([16, columns]);
            assert!(are_close(&[in_parts], &[in_order], tolerance), "{columns}: {in_parts}, {in_order}");
        }
        // Half of the terms are missing.
        let [whole, _] = entropies(1 << 20, 1);
        let [half, _] = entropies(1 << 19, 1);
        assert!(!are_close(&[half], &[whole], Rounding::InRows.tolerance([16, 1 << 20])));
    }

    #[test]
    fn the_tolerance_is_that_of_the_sums_and_whole_numbers_have_none() {
        let tolerances = [Rounding::InElements, Rounding::InColumns, Rounding::InRows];
        let [elements, columns, rows] = tolerances.map(|rounding| rounding.tolerance([16, 1 << 20]));
        assert!(0.0 < elements && elements < columns && columns < rows && rows < 0.2);
        let exactly = Rounding::Nowhere.tolerance([1 << 20, 1 << 20]);
        assert!(are_close(&[1e6, 0.0], &[1e6, -0.0], exactly));
        assert!(!are_close(&[1e6 + 1.0], &[1e6], exactly));
        assert!(!are_close(&[f32::NAN], &[f32::NAN], rows));
        assert!(!are_close(&[1.0], &[1.0, 1.0], rows));
    }
}
