//! Type inference of `scatter`: which index functions are permutations, proved or left to the launch.

use crate::support::{check, elaborated, infer, mistakes, signatures};
use proptest::prelude::*;

#[test]
fn a_known_permutation_says_nothing_about_the_length() {
    for rearranged in ["gather(rotate(1), a)", "gather(stride(4), a)", "gather(reverse, a)"] {
        let signature = signatures(&format!("|a: [f32; 4 * N]| head({rearranged})"));
        assert!(
            signature.ends_with("\n`head` needs at least 1 element, and its input has `4 * N`"),
            "{signature}"
        );
    }
}

#[test]
fn permutations_are_proved() {
    check(
        elaborated,
        &[
            ("|a: [f32; N]| scatter(reverse, a)", "scatter[i -> N - i - 1](a)"),
            ("|a: [f32; N]| scatter(rotate(k), a)", "scatter[i -> (k + i) % N](a)"),
            ("|a: [f32; 3 * N]| scatter(stride(3), a)", "scatter[i -> i / N + 3 * (i % N)](a)"),
            ("|a: [f32; N]| scatter(|i| (i + 3) % N, a)", "scatter[i -> (i + 3) % N](a)"),
            ("|a: [f32; N]| scatter(|i| N - 1 - i, a)", "scatter[i -> N - i - 1](a)"),
            ("|a: [f32; 6]| scatter(|i| (i * 5) % 6, a)", "scatter[i -> 5 * i % 6](a)"),
            ("|a: [f32; N * M]| scatter(|i| i / N + (i % N) * M, a)", "scatter[i -> M * (i % N) + i / N](a)"),
            ("|a: [f32; 2 * N]| scatter(|i| i + 1 - 2 * (i % 2), a)", "scatter[i -> i + 1 - 2 * (i % 2)](a)"),
            (
                "|a: [f32; 4 * N]| scatter(|i| i / 4 * 4 + 3 - i % 4, a)",
                "scatter[i -> 4 * (i / 4) + 3 - i % 4](a)",
            ),
        ],
    );
}

#[test]
fn a_permutation_that_is_not_proved_is_checked_at_the_launch() {
    check(
        signatures,
        &[
            (
                "|a: [f32; N]| scatter(|i| (i * 7) % N, a)",
                "(a: [f32; N]) -> [f32; N]\n\
                 `scatter` needs `|i| 7 * i % N` to be a permutation of the positions of `N` elements",
            ),
            (
                "|a: [f32; 5000]| scatter(|i| (i * 3) % 5000, a)",
                "(a: [f32; 5000]) -> [f32; 5000]\n\
                 `scatter` needs `|i| 3 * i % 5000` to be a permutation of the positions of 5000 elements",
            ),
        ],
    );
}

#[test]
fn wrong_permutations_are_a_mistake() {
    check(
        mistakes,
        &[
            (
                "|a: [f32; 6]| scatter(|i| (i * 2) % 6, a)",
                "`|i| (i * 2) % 6`: `scatter`: positions 0 and 3 are both mapped to 0: this is no \
                 permutation\n\
                 help: `reverse`, `stride(s)`, `rotate(k)` and functions that undo themselves are \
                 permutations; `gather(f)` takes any function, and reads where `scatter` would write",
            ),
            (
                "|a: [f32; N]| scatter(|i| i / 2, a)",
                "`|i| i / 2`: `scatter`: positions 0 and 1 are both mapped to 0: this is no permutation\n\
                 help: `reverse`, `stride(s)`, `rotate(k)` and functions that undo themselves are \
                 permutations; `gather(f)` takes any function, and reads where `scatter` would write",
            ),
            (
                "|a: [f32; N]| generate(N, |k| scatter(|i| (i * (k + 1)) % N, a))",
                "`|i| (i * (k + 1)) % N`: `scatter` needs `|i| (k * i + i) % N` to be a permutation of the \
                 positions of `N` elements, for every `k` below `N`, which could not be proved\n\
                 help: a condition on positions must hold by itself: it cannot be checked before the launch",
            ),
            (
                "|a: [f32; N]| scatter(|i| i + 1, a)",
                "`|i| i + 1`: `scatter`: position `N - 1` is mapped to `N`, outside the array of `N` \
                 elements\n\
                 help: an index stays inside with `% n`, or with `min` and `max`",
            ),
        ],
    );
}

proptest! {
    #[test]
    fn scatter_takes_permutations_and_nothing_else(
        length in 1_usize..14,
        factor in 0_usize..14,
        offset in 0_usize..14,
    ) {
        let mut places: Vec<usize> = (0..length).map(|position| (position * factor + offset) % length).collect();
        places.sort_unstable();
        let is_permutation = places == (0..length).collect::<Vec<usize>>();
        let text = format!("|a: [f32; {length}]| scatter(|i| (i * {factor} + {offset}) % {length}, a)");
        prop_assert_eq!(infer(&text).is_ok(), is_permutation);
    }
}
