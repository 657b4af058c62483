//! Lowering is a derivation: every step keeps the value, needs nothing of sizes, and can be replayed. After
//! every step, the whole program is typed.

use std::collections::BTreeSet;

use lift_core::eval::evaluate;
use lift_core::ir::typed::Program;
use lift_core::middle::lower::lower;
use lift_core::middle::rewrite::{Rule, read_derivation, rules};
use lift_core::middle::tuples::take_apart;
use lift_corpus::lists::{EVERY_PRIMITIVE, FIGURES, POSITION_DEPENDENT};

use crate::checked::{assert_well_typed_but_for_needs, is_same};
use crate::sizes::sizes_of;
use crate::support::{
    Choices, Style, group_program, random_program, repeated_program, staged_program, typed,
};
use crate::values::{Sizes, arguments};

/// Sizes that the programs of lists are evaluated for.
const SIZES: [i128; 2] = [3, 8];

/// The rules that separate a map.
const SEPARATING: [&Rule; 3] = [&rules::LET_TOGETHER, &rules::MAP_LET_FISSION, &rules::MAP_STORED];

/// Random programs of each kind.
const SEEDS: std::ops::Range<u64> = 0..15;

/// What lowering decides, a program for each: the names of the rules that it takes, in order.
const DECISIONS: &[(&str, &[&str])] = &[
    // Up to three maps of the result have work-items.
    ("|a: [[i32; M]; N]| a >> map(map(|x| x + 1))", &["mapGlb", "mapGlb"]),
    (
        "|a: [[[[i32; 2]; 2]; M]; N]| a >> map(map(map(map(|x| x + 1))))",
        &["mapGlb", "mapGlb", "mapGlb", "mapSeq"],
    ),
    // A program that uses the hierarchy is taken at its word.
    ("|a: [[i32; M]; N]| a >> mapGlb0(|r| r >> map(|x| x + 1))", &["mapSeq"]),
    // A result is stored anyway, also where a `let` stands inside of its `store`.
    (
        "|a: [[i32; M]; N]| a >> map(|r| r >> reverse >> store) >> (|r| r >> reverse) >> store",
        &[
            "removeStore",
            "letFloat",
            "mapLetFission",
            "letFloat",
            "storeBetween",
            "storeToGlobal",
            "mapGlb",
            "idMap",
            "mapGlb",
            "storeToGlobal",
            "mapGlb",
            "idMap",
            "mapGlb",
            "idMap",
            "mapGlb",
            "idMap",
            "mapGlb",
        ],
    ),
    // A view is copied.
    ("|a: [[i32; M]; N]| a >> transpose", &["idMap", "mapGlb", "idMap", "mapGlb"]),
    // Scattered rows are maps of maps.
    (
        "|a: [i => [i32; i + 1]; N]| a >> map(reverse) >> join >> map(|x| x * 2)",
        &["mapJoinRows", "mapGlb", "mapGlb"],
    ),
    // A `let` in the value of another, and several passes over one array.
    ("|a: [i32; N]| { let b = { let c = a >> head; c * c }; a >> map(|x| x + b) }", &["letOfLet", "mapGlb"]),
    ("|a: [i32; N]| (a >> map(|x| x + 1), a >> map(|x| x * x))", &["fuseTogether", "mapGlb"]),
    // Several numbers of one row take one pass, unless the row is read again all the same.
    (
        "|a: [[i32; M]; N]| a >> map(|r| (reduce(add, 0, r), r >> map(|x| x * x) >> reduce(max, 0)))",
        &["fuseTogether", "mapGlb"],
    ),
    (
        "|a: [[i32; M]; N]| a >> map(|r| [reduce(min, 0, r), reduce(max, 0, r)])",
        &["fuseTogether", "mapGlb", "idMap", "mapSeq"],
    ),
    (
        "|a: [[i32; M]; N]| a >> map(|r| { let s = reduce(add, 0, r); (s, r >> map(|x| x - s) >> reduce(max, 0)) })",
        &["mapGlb"],
    ),
    (
        "|a: [[i32; M]; N]| a >> map(|r| { let s = reduce(add, 0, r); let m = reduce(max, 0, r); \
         r >> map(|x| x * s - m) })",
        &["letTogether", "mapLetFission", "storeToGlobal", "mapGlb", "mapGlb", "mapGlb"],
    ),
    ("|a: [[i32; 9]; N]| a >> map(|r| (reduce(min, 0, r), reduce(max, 0, r)))", &["mapGlb"]),
    // What everybody needs is a stage.
    (
        "|a: [[i32; M]; N]| a >> map(|r| reduce(add, 0, r)) >> slide(9, 1) >> map(reduce(max, 0))",
        &["letFloat", "storeBetween", "storeToGlobal", "mapGlb", "mapGlb"],
    ),
    // Reductions of whole arrays are divided, as results and as stages.
    ("|a: [i32; N]| a >> reduce(add, 0)", &["reduceByGroups"]),
    ("|a: [i32; 100]| a >> reduce(add, 0)", &[]),
    (
        "|a: [i32; N]| a >> map(|x| x - (a >> reduce(min, 0)))",
        &["storeReduction", "letFloat", "removeStore", "reduceByGroups", "arrayOfHead", "mapGlb"],
    ),
    // So are the stages of the next value of an `iterateWhile`, and their arrays have workers.
    (
        "|a: [i32; N]| a >> iterateWhile(9, |z| (z >> reduce(max, 0)) < 5, |z| { \
         let s = z >> reverse >> store; let total = z >> reduce(add, 0); \
         zip(z, s) >> map(|x, y| x * y - total) })",
        &[
            "storeReduction",
            "letFloat",
            "letFloat",
            "storeReduction",
            "letFloat",
            "removeStore",
            "reduceByGroups",
            "arrayOfHead",
            "removeStore",
            "reduceByGroups",
            "arrayOfHead",
            "storeToGlobal",
            "idMap",
            "mapGlb",
            "mapGlb",
        ],
    ),
    // What has no value for some sizes is not computed where nobody needs it.
    ("|a: [i32; N]| a >> map(|i => x| x - i as i32 * (a >> reduce(min, head(a))))", &["mapGlb"]),
    // What a work-item reads repeatedly is kept.
    (
        "|a: [[f32; 8]; N]| a >> map(|r| { let s = r >> map(|x| exp(x)); \
         s >> map(|x| x * (s >> reduce(add, 0))) })",
        &["storeBetween", "letFloat", "mapGlb", "mapSeq", "removeStore", "mapSeq"],
    ),
    // A map whose function keeps long rows is several.
    (
        "|a: [[f32; M]; N]| a >> map(|r| { let s = r >> map(|x| exp(x)); \
         s >> map(|x| x * (s >> reduce(add, 0))) })",
        &[
            "storeBetween",
            "letFloat",
            "mapLetFission",
            "letTogether",
            "mapLetFission",
            "storeToGlobal",
            "mapGlb",
            "mapGlb",
            "storeToGlobal",
            "mapGlb",
            "mapGlb",
            "mapGlb",
        ],
    ),
    // Single values are made together, and what all these maps read is stored.
    (
        "|a: [[f32; M]; N]| a >> map(|r| r >> map(|x| exp(x) / sin(x))) >> map(|r| { let m = r >> reduce(max, 0); \
         let s = r >> reduce(add, 0); r >> map(|x| (x - m) * (s - m)) })",
        &[
            "mapStored",
            "letTogether",
            "mapLetFission",
            "storeToGlobal",
            "mapGlb",
            "mapGlb",
            "storeToGlobal",
            "mapGlb",
            "mapGlb",
            "mapGlb",
        ],
    ),
    // Scans of whole arrays are divided, as results, with maps over them, and as stages.
    ("|a: [i32; N]| a >> scan(add, 0) >> map(|x| x + 1)", &["scanByTiles"]),
    (
        "|a: [i32; N]| a >> scan(add, 0) >> reverse >> slide(3, 1) >> map(reduce(add, 0))",
        &["storeScan", "letFloat", "scanByTiles", "letFloat", "storeToGlobal", "mapGlb"],
    ),
    // What is the same in all applications is computed before them.
    (
        "|a: [i32; N], b: [i32; N]| a >> iterate(9, |t| t >> map(|x| x + (b >> reduce(add, 0))))",
        &["storeReduction", "letFloat", "letFloat", "removeStore", "reduceByGroups", "arrayOfHead", "mapGlb"],
    ),
    // Rows that neighbouring work-items reduce side by side are turned.
    (
        "|a: [[f32; M]; N], b: [[f32; M]; K]| a >> map(|r| b >> map(|s| dotProduct(r, s)))",
        &["mapGlb", "mapGlb", "turnRows", "storeToGlobal", "idMap", "mapGlb", "idMap", "mapGlb"],
    ),
];

#[test]
fn what_lowering_decides_are_rules() {
    for (text, rules) in DECISIONS {
        let program = typed(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let lowered = lower(&take_apart(&program)).expect("its steps apply");
        let names: Vec<&str> = lowered.derivation.steps.iter().map(|step| step.rule.name).collect();
        assert_eq!(names, *rules, "{text}\n{}", lowered.derivation);
    }
}

/// Checks every step for these sizes; returns the rules that were taken.
fn check(text: &str, program: &Program, sizes: &Sizes) -> BTreeSet<&'static str> {
    let apart = take_apart(program);
    let Some(arguments) = arguments(&apart, sizes, 11) else { return BTreeSet::new() };
    let Ok(value) = evaluate(&apart, &arguments) else { return BTreeSet::new() };
    let lowered = lower(&apart).unwrap_or_else(|failure| panic!("{text}\n{failure}"));
    assert!(lowered.needs.is_empty(), "{text}\n{}\nneeds {:?}", lowered.derivation, lowered.needs);
    let read = read_derivation(&lowered.derivation.to_string(), &apart);
    assert_eq!(read.as_ref(), Ok(&lowered.derivation), "{text}");
    let replayed = lowered.derivation.replay(&apart, &mut |step, rewriter| {
        let rewritten = rewriter.rewritten();
        assert_well_typed_but_for_needs(&rewritten, &format!("{text}\n{}\nafter {step}", lowered.derivation));
        let after = evaluate(&rewritten.program, &arguments);
        let keeps = after.as_ref().is_ok_and(|after| is_same(after, &value));
        assert!(keeps, "{text}\n{}\nafter {step}\n{after:?}\nis not\n{value:?}", lowered.derivation);
    });
    assert_eq!(replayed.as_ref(), Ok(&lowered), "{text}");
    lowered.derivation.steps.iter().map(|step| step.rule.name).collect()
}

#[test]
fn every_step_of_lowering_keeps_the_value_and_is_replayed() {
    let mut taken = BTreeSet::new();
    let lists = FIGURES.iter().chain(&POSITION_DEPENDENT).chain(EVERY_PRIMITIVE).copied();
    for text in lists.chain(DECISIONS.iter().map(|(text, _)| *text)) {
        let program = typed(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        for size in SIZES {
            let sizes = program.sizes.iter().map(|own| (own.variable.clone(), size)).collect();
            taken.extend(check(text, &program, &sizes));
        }
    }
    let missing: Vec<&str> =
        SEPARATING.iter().map(|rule| rule.name).filter(|rule| !taken.contains(rule)).collect();
    assert!(missing.is_empty(), "no program takes {missing:?}");
}

#[test]
fn lowering_random_programs_keeps_their_values() {
    for seed in SEEDS {
        for program in [
            random_program(&mut Choices::from_seed(seed), Style::HighLevel),
            random_program(&mut Choices::from_seed(seed), Style::LowLevel),
            repeated_program(&mut Choices::from_seed(seed)),
            group_program(&mut Choices::from_seed(seed)),
            staged_program(&mut Choices::from_seed(seed)),
        ] {
            let typed = typed(&program.text).unwrap_or_else(|error| panic!("{}\n{error}", program.text));
            let sizes = sizes_of(&typed, &program.arguments);
            check(&program.text, &typed, &sizes);
        }
    }
}

#[test]
fn no_rule_has_the_name_of_another_one() {
    for own in rules::ALL {
        assert_eq!(rules::ALL.iter().filter(|rule| rule.name == own.name).count(), 1, "{}", own.name);
    }
}
