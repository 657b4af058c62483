//! Chains of rules as strategies: what the rules are for.

use lift_core::eval::evaluate;
use lift_core::ir::nat::Nat;
use lift_core::ir::typed::{ExprKind, Program};
use lift_core::middle::rewrite::normal::CANONICAL_LAYOUTS;
use lift_core::middle::rewrite::rules::{
    INPUT_STATIONARY, MAP_FUSION, MAP_MAP_F_BEFORE_TRANSPOSE, MAP_REDUCE_INTERCHANGE, MAP_SLIDE_TILING,
    SLIDE_TILING_2, TRANSPOSE_BOTH_SIDES,
};
use lift_core::middle::rewrite::{Argument, Rewriter, Rule, Strategy};

use crate::support::typed;
use crate::values::{Sizes, arguments};

fn size(size: i128) -> Argument {
    Argument::Size(Nat::constant(size))
}

fn with(rule: &'static Rule, arguments: Vec<Argument>) -> Strategy {
    Strategy::Apply(rule, arguments)
}

/// The program that a strategy makes, which computes the same for these sizes.
fn derived(text: &str, strategy: &Strategy, sizes: &[i128]) -> Program {
    let program = typed(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let mut rewriter = Rewriter::new(&program);
    rewriter.run(strategy).unwrap_or_else(|failure| panic!("{strategy} of {text}\n{failure}"));
    let rewritten = rewriter.rewritten();
    let variables = program.sizes.iter().map(|size| size.variable.clone());
    let sizes: Sizes = variables.zip(sizes.iter().copied()).collect();
    for need in &rewritten.needs {
        let condition = need.requirement.condition().expect("a condition on sizes");
        let holds = condition.evaluate(&|variable| sizes.get(variable).copied());
        assert_eq!(holds, Some(true), "{text}\nneeds {condition}");
    }
    let arguments = arguments(&program, &sizes, 7).expect("arguments of these sizes");
    let value = evaluate(&program, &arguments).expect("a value for these sizes");
    assert_eq!(evaluate(&rewritten.program, &arguments), Ok(value), "{text}\n{}", rewritten.derivation);
    rewritten.program
}

/// The outer product formulation: for each k, all products of a column and a row.
#[test]
fn a_matrix_product_becomes_a_reduction_of_outer_products() {
    let product = "|a: [[i32; K]; N], b: [[i32; M]; K]| a >> map(|r| b >> transpose >> \
                   map(|c| zip(r, c) >> reduce(|acc, (x, y)| acc + x * y, 0)))";
    let strategy = Strategy::Sequence(vec![
        Strategy::rule(&MAP_REDUCE_INTERCHANGE).innermost(),
        Strategy::rule(&MAP_REDUCE_INTERCHANGE),
        Strategy::Normalise(&CANONICAL_LAYOUTS),
    ]);
    let program = derived(product, &strategy, &[3, 4, 5]);
    assert!(matches!(program.body.kind, ExprKind::Reduce(..)), "{:#?}", program.body);
}

/// What a function made once is not made again for each element of an array inside.
#[test]
fn fusion_computes_no_number_again_for_each_element() {
    let maps = "|a: [i32; N], b: [i32; M]| a >> map(|x| x * x * x) >> map(|y| b >> map(|z| y + z))";
    let program = derived(maps, &Strategy::rule(&MAP_FUSION), &[4, 5]);
    let work = |program: &Program| {
        let total = lift_core::work::of_program(program).operations;
        total.evaluate(&|_| Some(10)).expect("a number for all sizes")
    };
    assert_eq!(work(&program), work(&typed(maps).expect("a program")));
}

#[test]
fn stencils_read_each_element_of_a_tile_once() {
    let stencil = "|a: [i32; N], weights: [i32; 3]| a >> pad(1, 1, clamp) >> slide(3, 1) >> \
                   map(|w| zip(w, weights) >> reduceSeq(|acc, (x, y)| acc + x * y, 0))";
    let tiled = Strategy::Sequence(vec![
        with(&MAP_SLIDE_TILING, vec![size(6)]),
        Strategy::rule(&INPUT_STATIONARY).outermost(),
    ]);
    derived(stencil, &tiled.named("inputStationary", vec![size(4)]), &[12]);
}

#[test]
fn windows_are_tiled_in_two_dimensions() {
    let stencil =
        "|a: [[i32; M]; N]| a >> pad2(1, 1, clamp) >> slide2(3, 1) >> map2(|w| w >> join >> reduce(add, 0))";
    derived(stencil, &with(&SLIDE_TILING_2, vec![size(4), size(6)]).outermost(), &[8, 8]);
}

#[test]
fn transposing_both_sides_is_undone_by_the_canonical_order() {
    let map = "|a: [[i32; M]; N]| a >> map(map(|x| x + 1))";
    let strategy = Strategy::Sequence(vec![
        Strategy::rule(&TRANSPOSE_BOTH_SIDES),
        Strategy::rule(&MAP_MAP_F_BEFORE_TRANSPOSE),
        Strategy::Normalise(&CANONICAL_LAYOUTS),
    ]);
    let program = derived(map, &strategy, &[3, 5]);
    let original = typed(map).expect("a program");
    assert!(lift_core::ir::typed::alpha::alpha_eq(&program.body, &original.body), "{:#?}", program.body);
}
