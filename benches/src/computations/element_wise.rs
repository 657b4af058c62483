//! Computations element by element. The copy shows what the memory allows.

use lift::lift;
use lift_corpus::benchmarks::ELEMENT_WISE;
use lift_corpus::host::BLACK_SCHOLES;

use super::input;
use crate::black_scholes::prices;
use crate::case::{Benchmark, ByHand, Case, Input, Meaning, Pair, Work};
use crate::generated::{Generated, generated};
use crate::options::Scale;
use crate::plan::Argument::{Float, Input as In, Output};
use crate::plan::{Argument, Plan};

const SOURCE: &str = include_str!("../../kernels/element_wise.cl");

/// The numbers of vectors of a work-item by name.
const STRUCTURES: [(&str, usize); 3] =
    [("one float4 per work-item", 1), ("two float4 per work-item", 2), ("four float4 per work-item", 4)];

/// The factor of `saxpy`; a whole number, so that results are exact.
const FACTOR: f32 = 3.0;

/// Interest and volatility.
const INTEREST: f32 = 0.02;
const VOLATILITY: f32 = 0.3;

include!("../../../corpus/benchmarks/element_wise.rs");
include!("../../../corpus/host/black_scholes.rs");

/// All of them, at one size.
pub(crate) fn benchmarks(scale: Scale) -> Vec<Benchmark> {
    let exponent = scale.pick(26, 22, 14);
    let benchmark = |name, make: fn(usize) -> Case| {
        Benchmark::new(name, format!("2^{exponent}"), move || make(1 << exponent))
    };
    vec![
        benchmark("copy", copy),
        benchmark("saxpy", saxpy_case),
        benchmark("three arrays to two", three_arrays_to_two),
        benchmark("Black-Scholes", options),
    ]
}

/// A kernel for all numbers of vectors, beside a program.
fn pair(entry: &str, n: usize, arguments: &[Argument], program: Generated) -> Pair {
    let by_hand = STRUCTURES.map(|(structure, vectors)| {
        let plan = Plan::new(SOURCE).define("PER_ITEM", vectors);
        ByHand { structure, plan: plan.launch(entry, [n / (4 * 256 * vectors)], [256], arguments) }
    });
    Pair { by_hand: by_hand.to_vec(), program }
}

fn copy(n: usize) -> Case {
    Case {
        inputs: vec![Input::fractions(27, &[n])],
        outputs: vec![n],
        meaning: Meaning::exact(1, |inputs, position| input(inputs, 0).at(position)),
        work: Work::Bytes(8.0 * n as f64),
        pairs: vec![pair("copied", n, &[In(0), Output(0)], generated!(copied, ELEMENT_WISE, (x @ 0: Ix1)))],
        high_level: None,
    }
}

fn saxpy_case(n: usize) -> Case {
    let element = |inputs: &[Input], position: usize| {
        f64::from(FACTOR) * input(inputs, 0).at(position) + input(inputs, 1).at(position)
    };
    let program = generated!(saxpy, ELEMENT_WISE, (x @ 0: Ix1, y @ 1: Ix1; FACTOR));
    Case {
        inputs: vec![Input::whole_numbers(28, &[n]), Input::whole_numbers(29, &[n])],
        outputs: vec![n],
        meaning: Meaning::exact(1, element),
        work: Work::Bytes(12.0 * n as f64),
        pairs: vec![pair("saxpy", n, &[In(0), In(1), Float(FACTOR), Output(0)], program)],
        high_level: None,
    }
}

fn three_arrays_to_two(n: usize) -> Case {
    let element = move |inputs: &[Input], position: usize| {
        let [x, y, z] = [0, 1, 2].map(|array| input(inputs, array).at(position % n));
        if position < n { x * y + z } else { y * z - x }
    };
    let program = generated!(three_to_two, ELEMENT_WISE, (x @ 0: Ix1, y @ 1: Ix1, z @ 2: Ix1));
    Case {
        inputs: [30, 31, 32].map(|seed| Input::whole_numbers(seed, &[n])).into(),
        outputs: vec![n, n],
        meaning: Meaning::exact(1, element),
        work: Work::Bytes(20.0 * n as f64),
        pairs: vec![pair("three_to_two", n, &[In(0), In(1), In(2), Output(0), Output(1)], program)],
        high_level: None,
    }
}

/// Prices of European options.
fn options(n: usize) -> Case {
    let arguments = [In(0), In(1), In(2), Float(INTEREST), Float(VOLATILITY), Output(0), Output(1)];
    let program =
        generated!(black_scholes, BLACK_SCHOLES, (s @ 0: Ix1, x @ 1: Ix1, t @ 2: Ix1; INTEREST, VOLATILITY));
    Case {
        inputs: vec![
            Input::between(5.0, 30.0, 33, &[n]),
            Input::between(1.0, 100.0, 34, &[n]),
            Input::between(0.25, 10.0, 35, &[n]),
        ],
        outputs: vec![n, n],
        // Prices are differences of numbers up to 100.
        meaning: Meaning {
            element: Box::new(move |inputs, position| option_price(inputs, n, position)),
            operations: 100,
            tolerance: 1e-4,
            magnitude: 10.0,
        },
        work: Work::Bytes(20.0 * n as f64),
        pairs: vec![pair("black_scholes", n, &arguments, program)],
        high_level: None,
    }
}

/// The expected result at a position: the prices of the `n` call options come first, and those of the `n` put
/// options follow.
fn option_price(inputs: &[Input], n: usize, position: usize) -> f64 {
    let option = [0, 1, 2].map(|array| input(inputs, array).at(position % n));
    let [call, put] = prices(option, f64::from(INTEREST), f64::from(VOLATILITY));
    if position < n { call } else { put }
}
