//! The stencil programs of Hagedorn's thesis and of CGO 2018, and those over arrays whose sizes depend on positions.

/// The program text in which the kernels are written.
pub(crate) const PROGRAMS: &str = include_str!("../programs/thesis.rs");

/// Padding and sliding in two dimensions, as the thesis shows them.
pub(crate) const FIGURES: [&str; 4] = [
    "|a: [[f32; M]; N]| pad2d(1, 2, 1, 2, clamp, wrap, a)",
    "|a: [[f32; M]; N]| a >> pad(1, 2, clamp) >> transpose >> pad(1, 2, wrap) >> transpose",
    "|a: [[f32; M]; N]| slide2d(2, 1, 2, 1, a)",
    "|a: [[f32; M]; N]| a >> slide(2, 1) >> map(|rows| rows >> transpose >> slide(2, 1) >> map(transpose))",
];

/// Position-dependent arrays.
pub(crate) const POSITION_DEPENDENT: [&str; 13] = [
    "|m: [i => [f32; i + 1]; N], v: [f32; N]| m >> map(|row| zip(row, slice(0, len(row), v)) >> map(mult) >> reduce(max, 0))",
    "|m: [i => [f32; i + 1]; N], v: [f32; N]| m >> map(|row| zip(padConstant(0, N - len(row), 0, row), v) >> map(add))",
    "|u: [i => [f32; N - i]; N]| u >> reverse >> map(map(|x| x + 1))",
    "|u: [i => [f32; N - i]; N]| u >> slice(0, N) >> map(reverse) >> join",
    "|u: [i => [f32; N - i]; N]| u >> map(map(|x| x * 2)) >> join >> map(|x| x + 1)",
    "|m: [i => [f32; i + 1]; N]| m >> map(reverse) >> join >> map(|x| (x, x)) >> map(|(x, y)| x - y * 3)",
    "|a: [f32; N]| generate(N, |i| slice(i / 2, i + 1 - i / 2, a)) >> map(scanInclusive(max))",
    "|b: [i => [f32; min(i + 3, N) - max(i - 2, 0)]; N]| b >> map(|row| row >> map(|x| x + len(row) as f32))",
    "|m: [i => [j => [f32; i + j + 1]; i + 1]; 9]| m >> map(map(reduce(max, 0)))",
    "|m: [i => [j => [f32; i + j + 1]; i % 3]; 7]| m >> map(join) >> join >> map(|x| x * 2)",
    "|m: [[i => [f32; i + 1]; 5]; N]| m >> join >> map(map(|x| x + 1))",
    "|m: [i => [f32; if i % 2 == 0 { 3 } else { 1 }]; N]| m >> map(reverse) >> join",
    "|m: [i => [f32; if i < 4 || i > 9 { 2 } else { i }]; 20]| m >> map(map(|x| x - 1)) >> join",
];
