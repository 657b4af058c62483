//! Random sequences of rules on random programs keep every value.
//!
//! Rules are tried at random places with random arguments. Numbers are such that no order of evaluation
//! changes a result, so that values have to be equal, also after rules that regroup operators. A failure
//! names the program and the derivation, which can be replayed.

use lift_core::eval::evaluate;
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::typed::{AddressSpace, MapKind, Path, Program, ReduceKind};
use lift_core::middle::rewrite::{Argument, Kind, Rewriter, Rule, rules};

use crate::checked::{assert_well_typed_but_for_needs, is_same};
use crate::sizes::sizes_of;
use crate::support::{
    Choices, RandomProgram, Style, group_program, random_program, repeated_program, staged_program, typed,
};

/// Seeds of random programs, as in `0..10000`.
const SEEDS: &str = "LIFT_PROGRAMS";
const USUAL_SEEDS: std::ops::Range<u64> = 0..150;

/// The most steps of a sequence.
const LONGEST: usize = 8;
/// How many places and rules are tried for a step.
const TRIALS: usize = 60;

#[allow(clippy::disallowed_methods, reason = "other seeds are asked for by a variable")]
fn seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var(SEEDS) else { return USUAL_SEEDS };
    let bounds =
        text.split_once("..").and_then(|(start, end)| Some((start.parse().ok()?, end.parse().ok()?)));
    let (start, end) = bounds.expect("LIFT_PROGRAMS is written 0..10000");
    start..end
}

fn argument(kind: Kind, choices: &mut Choices) -> Argument {
    match kind {
        Kind::Size => Argument::Size(Nat::constant([2, 3, 4, 1, 5][choices.below(5)])),
        Kind::Width => Argument::Width([2, 4][choices.below(2)]),
        Kind::Dimension => Argument::Dimension([0, 1][choices.below(2)]),
        Kind::Space => Argument::Space(
            [AddressSpace::Global, AddressSpace::Local, AddressSpace::Private][choices.below(3)],
        ),
        Kind::Reduce => Argument::Reduce(
            [ReduceKind::Sequential, ReduceKind::Pipelined, ReduceKind::Unrolled][choices.below(3)],
        ),
        Kind::Map => {
            Argument::Map([MapKind::Sequential, MapKind::Unrolled, MapKind::Local(0)][choices.below(3)])
        }
        Kind::Place => {
            let depth = choices.below(4);
            let positions: Vec<usize> = (0..depth).map(|_| choices.below(2)).collect();
            Argument::Place(Path::from(positions))
        }
    }
}

fn places(program: &Program) -> Vec<Path> {
    let mut places = vec![Path::root()];
    let mut next = 0;
    while let Some(path) = places.get(next).cloned() {
        next += 1;
        let children = program.body.at_path(&path).map_or(0, |expr| expr.children().len());
        places.extend((0..children).map(|position| path.child(position)));
    }
    places
}

/// Applies one rule somewhere, if one of those that are tried applies, and what it needs holds for these
/// arguments.
fn step(rewriter: &mut Rewriter<'_>, choices: &mut Choices) -> Option<&'static Rule> {
    let places = places(&rewriter.program());
    for _ in 0..TRIALS {
        let rule = rules::ALL[choices.below(rules::ALL.len())];
        let arguments: Vec<Argument> = rule.parameters.iter().map(|kind| argument(*kind, choices)).collect();
        let path = &places[choices.below(places.len())];
        if rewriter.apply(rule, &arguments, path).is_ok() {
            return Some(rule);
        }
    }
    None
}

/// The number of rules applied.
fn check(program: &RandomProgram, choices: &mut Choices) -> usize {
    let original = typed(&program.text).unwrap_or_else(|error| panic!("{}\n{error}", program.text));
    let Ok(value) = evaluate(&original, &program.arguments) else { return 0 };
    // What is not a number equals nothing.
    if value.clone() != value {
        return 0;
    }
    let sizes = sizes_of(&original, &program.arguments);
    let size = |variable: &Var| sizes.get(variable).copied();
    let mut rewriter = Rewriter::new(&original);
    let mut applied = 0;
    for _ in 0..1 + choices.below(LONGEST) {
        if step(&mut rewriter, choices).is_none() {
            break;
        }
        let rewritten = rewriter.rewritten();
        let holds = |need: &lift_core::ir::typed::result::Need| {
            need.requirement.condition().and_then(|condition| condition.evaluate(&size)) == Some(true)
        };
        if !rewritten.needs.iter().all(holds) {
            break;
        }
        let what = format!("{}\n{}", program.text, rewritten.derivation);
        assert_well_typed_but_for_needs(&rewritten, &what);
        let other = evaluate(&rewritten.program, &program.arguments);
        assert!(
            other.as_ref().is_ok_and(|other| is_same(other, &value)),
            "{what}\n{other:?}\nis not\n{value:?}"
        );
        applied += 1;
    }
    applied
}

#[test]
fn random_sequences_of_rules_keep_the_value() {
    let mut applied = 0;
    for seed in seeds() {
        let mut choices = Choices::from_seed(seed);
        let program = match seed % 8 {
            0..4 => random_program(&mut choices, Style::HighLevel),
            4 => random_program(&mut choices, Style::LowLevel),
            5 => repeated_program(&mut choices),
            6 => group_program(&mut choices),
            _ => staged_program(&mut choices),
        };
        applied += check(&program, &mut Choices::from_seed(seed + 1_000_000));
    }
    assert!(applied > 0, "no rule was applied");
}
