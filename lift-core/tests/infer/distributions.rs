//! Chunks, the last of them possibly shorter, and rows that take elements in turn: their types, also when
//! they are put together again, and the message of each mistake.

use crate::support::{check, elaborated, mistakes, signatures};

#[test]
fn the_last_chunk_has_the_elements_that_are_left() {
    check(
        signatures,
        &[
            (
                "|a: [f32; N]| a >> chunks(32)",
                "(a: [f32; N]) -> [i => [f32; min(32, N - 32 * i)]; (N + 31) / 32]",
            ),
            ("|a: [f32; 10]| a >> chunks(4)", "(a: [f32; 10]) -> [i => [f32; min(4, 10 - 4 * i)]; 3]"),
            ("|a: [f32; 12]| a >> chunks(4)", "(a: [f32; 12]) -> [[f32; 4]; 3]"),
            ("|a: [f32; 4 * N]| a >> chunks(4)", "(a: [f32; 4 * N]) -> [[f32; 4]; N]"),
            ("|a: [f32; N]| a >> chunks(1)", "(a: [f32; N]) -> [[f32; 1]; N]"),
            ("|a: [f32; N]| a >> chunks(32) >> map(reduce(add, 0))", "(a: [f32; N]) -> [f32; (N + 31) / 32]"),
        ],
    );
}

#[test]
fn joined_chunks_are_as_long_as_the_array() {
    check(
        signatures,
        &[
            ("|a: [f32; N]| a >> chunks(32) >> join", "(a: [f32; N]) -> [f32; N]"),
            (
                "fn f<const N: usize, const T: usize>(a: [f32; N], t: [f32; T]) -> [f32; N] { a >> chunks(T) >> map(map(|x| x * 2)) >> join }",
                "(a: [f32; N], t: [f32; T]) -> [f32; N]\n\
                 `chunks(T)` needs `T` to be positive",
            ),
            (
                "|a: [[f32; M]; N]| a >> chunks(32) >> map(|rows| rows >> map(chunks(32)) >> transpose)",
                "(a: [[f32; M]; N]) -> [i => [j => [[f32; min(32, M - 32 * j)]; min(32, N - 32 * i)]; (M + 31) / 32]; (N + 31) / 32]",
            ),
            (
                "|a: [[f32; M]; N]| a >> chunks(32) >> map(|rows| rows >> map(chunks(8)) >> transpose >> map(map(map(|x| x * 2))) >> transpose >> map(join)) >> join",
                "(a: [[f32; M]; N]) -> [[f32; M]; N]",
            ),
        ],
    );
}

#[test]
fn rows_take_elements_in_turn() {
    check(
        signatures,
        &[
            (
                "|a: [f32; N]| a >> deinterleave(128)",
                "(a: [f32; N]) -> [l => [f32; (N + 127 - l) / 128]; 128]",
            ),
            ("|a: [f32; 12]| a >> deinterleave(4)", "(a: [f32; 12]) -> [[f32; 3]; 4]"),
            ("|a: [f32; 4 * N]| a >> deinterleave(4)", "(a: [f32; 4 * N]) -> [[f32; N]; 4]"),
            ("|a: [f32; N]| a >> deinterleave(1)", "(a: [f32; N]) -> [[f32; N]; 1]"),
            (
                "|a: [f32; N], p: [f32; P]| a >> deinterleave(P)",
                "(a: [f32; N], p: [f32; P]) -> [l => [f32; (N + P - l - 1) / P]; P]\n\
                 `deinterleave(P)` needs `P` to be positive",
            ),
            (
                "|a: [i => [f32; i + 1]; N]| a >> deinterleave(2)",
                "(a: [i => [f32; i + 1]; N]) -> [l => [i => [f32; l + 2 * i + 1]; (N + 1 - l) / 2]; 2]",
            ),
        ],
    );
}

#[test]
fn interleaved_rows_are_the_array_that_they_were_taken_from() {
    check(
        signatures,
        &[
            ("|a: [f32; N]| a >> deinterleave(128) >> interleave", "(a: [f32; N]) -> [f32; N]"),
            (
                "|a: [f32; N]| a >> deinterleave(3) >> map(map(|x| x + 1)) >> interleave",
                "(a: [f32; N]) -> [f32; N]",
            ),
            ("|a: [f32; N]| a >> deinterleave(128) >> join", "(a: [f32; N]) -> [f32; N]"),
            ("|a: [f32; 1000]| a >> deinterleave(128) >> interleave", "(a: [f32; 1000]) -> [f32; 1000]"),
            ("|a: [f32; 7]| a >> deinterleave(128) >> interleave", "(a: [f32; 7]) -> [f32; 7]"),
            (
                "|a: [f32; N], p: [f32; P]| a >> deinterleave(P) >> interleave",
                "(a: [f32; N], p: [f32; P]) -> [f32; N]\n`deinterleave(P)` needs `P` to be positive",
            ),
            ("|a: [[f32; M]; P]| a >> interleave", "(a: [[f32; M]; P]) -> [f32; P * M]"),
            (
                "|a: [i => [f32; i + 1]; N]| a >> deinterleave(3) >> interleave",
                "(a: [i => [f32; i + 1]; N]) -> [j => [f32; j + 1]; N]",
            ),
            (
                "|a: [l => [f32; (N - l + 127) / 128]; 128]| a >> interleave",
                "(a: [l => [f32; (N + 127 - l) / 128]; 128]) -> [f32; N]",
            ),
        ],
    );
}

#[test]
fn chunks_are_a_partition() {
    check(
        elaborated,
        &[
            ("|a: [f32; N]| chunks(32, a)", "partition[(N + 31) / 32, i -> min(32, N - 32 * i)](a)"),
            ("|a: [f32; 64]| chunks(32, a)", "split[32](a)"),
            ("|a: [f32; N]| deinterleave(3, a) >> interleave", "interleave(deinterleave[3](a))"),
        ],
    );
}

#[test]
fn mistakes_say_what_is_needed() {
    check(
        mistakes,
        &[
            (
                "|a: [f32; N]| a >> chunks(0)",
                "`chunks(0)`: `chunks(0)`: this size must be at least 1, and it is 0",
            ),
            (
                "|a: [f32; N]| a >> deinterleave(0)",
                "`deinterleave(0)`: `deinterleave(0)`: this size must be at least 1, and it is 0",
            ),
            (
                "|a: [i => [f32; i + 1]; N]| a >> interleave",
                "`interleave`: `interleave` needs rows that take elements in turn, but row `l` of `[i => [f32; i + 1]; N]` has `l + 1` elements\n\
                 help: row `l` of `p` has `(n - l + p - 1) / p` of `n` elements, as `deinterleave(p)` makes them; `join` puts rows of any lengths one after another",
            ),
            (
                "|a: [f32; N]| a >> interleave",
                "`interleave`: `interleave` needs an array of arrays, but this is `[f32; N]`\n\
                 help: `interleave(xs)` has the type `[l => [A; (n - l + p - 1) / p]; p] -> [A; n]`",
            ),
            (
                "|a: [f32; N]| a >> chunks(8) >> interleave",
                "`interleave`: `interleave` needs rows that take elements in turn, but row `l` of `[i => [f32; min(8, N - 8 * i)]; (N + 7) / 8]` has `min(8, N - 8 * l)` elements\n\
                 note: what reaches it is `[i => [f32; min(8, N - 8 * i)]; (N + 7) / 8]`, from `chunks(8)`\n\
                 help: row `l` of `p` has `(n - l + p - 1) / p` of `n` elements, as `deinterleave(p)` makes them; `join` puts rows of any lengths one after another",
            ),
            (
                "|a: [f32; N], b: [f32; M]| zip(a >> chunks(8) >> join, b >> deinterleave(8) >> interleave)",
                "`zip(a >> chunks(8) >> join, b >> deinterleave(8) >> interleave)`: `zip` needs arrays of one length, but they are `[f32; N]` and `[f32; M]`: the length `N` is not `M`",
            ),
        ],
    );
}
