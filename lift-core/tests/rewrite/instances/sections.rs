//! Sections.

use lift_core::middle::rewrite::Argument;

use super::{Instance, size, with};

fn one_and_two() -> Vec<Argument> {
    vec![size(1), size(2)]
}

pub(super) const INSTANCES: &[Instance] = &[
    with("sections", one_and_two, 1, "|a: [i32; N]| a >> map(|x| x + 1)"),
    with("sections", one_and_two, 1, "|a: [i32; N]| a >> map(|i => x| x * i as i32)"),
    with(
        "sections",
        one_and_two,
        2,
        "|a: [[i32; M]; N]| a >> map(|i => r| r >> map(|k => x| x * (i * 3 + k) as i32))",
    ),
    with(
        "sections",
        one_and_two,
        1,
        "|a: [i32; N]| a >> pad(1, 1, clamp) >> slide(3, 1) >> map(reduce(add, 0))",
    ),
    with("sections", one_and_two, 1, "|a: [i => [i32; i + 1]; N]| a >> map(reduce(add, 0))"),
    with("sections", || vec![size(0), size(0)], 1, "|a: [i32; N]| a >> map(|x| x + 1)"),
    with("sections", one_and_two, 0, "|a: [i32; 2]| a >> map(|x| x + 1)"),
    with("sections", one_and_two, 0, "|a: [i32; N]| a >> mapSeq(|x| x + 1)"),
];
