//! Stencils of two matrices and of boxes, borders repeated.

use lift::lift;
use lift_corpus::benchmarks::STENCILS;

use super::{clamped, input};
use crate::case::{Benchmark, ByHand, Case, Input, Meaning, Pair, Work};
use crate::generated::generated;
use crate::options::Scale;
use crate::plan::Argument::{Input as In, Output};
use crate::plan::{Plan, int};

const SOURCE: &str = include_str!("../../kernels/stencils.cl");

include!("../../../corpus/benchmarks/stencils.rs");

/// All of them, at one size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let side = scale.pick(8192, 2048, 256);
    let edge = scale.pick(512, 256, 128);
    vec![
        Benchmark::new("heated chip", format!("{side} x {side}"), move || heated_case(side)),
        Benchmark::new("7 points of a box", format!("{edge} x {edge} x {edge}"), move || points_case(edge)),
    ]
}

fn heated_case(n: usize) -> Case {
    let by_hand = [("two rows per work-item", 2), ("four rows", 4), ("eight rows", 8)];
    let by_hand = by_hand.map(|(structure, rows)| ByHand {
        structure,
        plan: Plan::new(SOURCE).define("PER_ITEM", rows).launch(
            "heated",
            [n / 256, n / (4 * rows)],
            [64, 4],
            &[In(0), In(1), Output(0), int(n), int(n)],
        ),
    });
    let element = move |inputs: &[Input], position: usize| {
        let (y, x) = (position / n, position % n);
        let t = |down, right| input(inputs, 0).at(clamped(y, down, n) * n + clamped(x, right, n));
        let around = t(-1, 0) + t(1, 0) + t(0, -1) + t(0, 1);
        t(0, 0) + 0.5 * (input(inputs, 1).at(position) + around - 4.0 * t(0, 0))
    };
    let program = generated!(heated, STENCILS, (t @ 0: Ix2, power @ 1: Ix2));
    Case {
        inputs: vec![Input::whole_numbers(36, &[n, n]), Input::whole_numbers(37, &[n, n])],
        outputs: vec![n * n],
        meaning: Meaning::exact(8, element),
        work: Work::Bytes(12.0 * (n * n) as f64),
        pairs: vec![Pair { by_hand: by_hand.to_vec(), program }],
        high_level: None,
    }
}

fn points_case(n: usize) -> Case {
    let arguments = [In(0), Output(0), int(n), int(n), int(n)];
    let rows = [("two rows per work-item", 2), ("four rows", 4), ("eight rows", 8)];
    let rows = rows.map(|(structure, rows)| ByHand {
        structure,
        plan: Plan::new(SOURCE).define("PER_ITEM", rows).launch(
            "seven_points_rows",
            [n / 128, n / (8 * rows), n],
            [32, 8, 1],
            &arguments,
        ),
    });
    let planes = [("four planes", 4), ("eight planes", 8), ("sixteen planes", 16)];
    let planes = planes.map(|(structure, planes)| ByHand {
        structure,
        plan: Plan::new(SOURCE).define("PER_ITEM", planes).launch(
            "seven_points_planes",
            [n / 128, n / 8, n / planes],
            [32, 8, 1],
            &arguments,
        ),
    });
    let element = move |inputs: &[Input], position: usize| {
        let (z, y, x) = (position / (n * n), position / n % n, position % n);
        let a = |behind, down, right| {
            let plane = clamped(z, behind, n) * n * n;
            input(inputs, 0).at(plane + clamped(y, down, n) * n + clamped(x, right, n))
        };
        let beside = a(-1, 0, 0) + a(1, 0, 0) + a(0, -1, 0) + a(0, 1, 0) + a(0, 0, -1) + a(0, 0, 1);
        0.5 * a(0, 0, 0) + 0.125 * beside
    };
    let program = generated!(seven_points, STENCILS, (a @ 0: Ix3));
    Case {
        inputs: vec![Input::whole_numbers(38, &[n, n, n])],
        outputs: vec![n * n * n],
        meaning: Meaning::exact(7, element),
        work: Work::Bytes(8.0 * (n * n * n) as f64),
        pairs: vec![Pair { by_hand: rows.into_iter().chain(planes).collect(), program }],
        high_level: None,
    }
}
