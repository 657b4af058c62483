//! Every program of the corpus has the types that the typing rules derive, as inference makes it and while
//! the compiler lowers it.

use lift_core::front::infer::{infer_closure, infer_items};
use lift_core::front::syntax::Input;
use lift_core::ir::typed::Program;
use lift_core::ir::typed::check::{Binders, FaultKind, check};
use lift_core::middle::lower::lower;
use lift_core::middle::tuples::take_apart;
use lift_corpus::lists::{EVERY_PRIMITIVE, FIGURES, POSITION_DEPENDENT};
use lift_corpus::{steps, topics};

/// The programs of a text.
fn programs(text: &str) -> Vec<Program> {
    let parsed = lift_parser::parse_text(text);
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    match &parsed.input {
        Some(Input::Items(items)) => infer_items(items).expect("they have types").kernels,
        Some(Input::Closure(closure)) => vec![infer_closure(closure).expect("it has a type")],
        Some(Input::Inline(_)) | None => Vec::new(),
    }
}

fn all() -> Vec<Program> {
    let blocks = topics().flat_map(|topic| topic.blocks());
    let lists = FIGURES.iter().chain(&POSITION_DEPENDENT).chain(EVERY_PRIMITIVE).copied();
    let steps = steps::texts();
    let texts = blocks.chain(lists).map(str::to_owned).chain(steps.iter().map(|text| text.to_string()));
    texts.flat_map(|text| programs(&text)).collect()
}

/// What is wrong with these programs.
fn faults(programs: &[Program], binders: Binders) -> Vec<String> {
    let described = |program: &Program| {
        let fault = check(program, binders).err()?;
        Some(format!("{}: {:?}: {:?}", program.name, fault.source, fault.kind))
    };
    programs.iter().filter_map(described).collect()
}

#[test]
fn inference_states_the_types_that_the_rules_derive() {
    let wrong = faults(&all(), Binders::Unique);
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
}

/// Where there is an element, `N` is at least 1, and the accumulator has `N` elements.
#[test]
fn the_checker_knows_what_inference_knows_where_there_are_elements() {
    let programs = programs(
        "|a: [f32; N], s: [f32; max(1, N)]| generate(min(1, N), |i| a) \
         >> reduceSeq(|acc, x| map(|(p, q)| p + q, zip(acc, x)), s)",
    );
    assert_eq!(faults(&programs, Binders::Unique), Vec::<String>::new());
}

#[test]
fn taking_tuples_apart_keeps_the_types_right() {
    let apart: Vec<Program> = all().iter().map(take_apart).collect();
    let wrong = faults(&apart, Binders::Repeated);
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
}

/// Where lowering divides a reduction or a scan among work-items, it reads elements at positions such as
/// `256 * g + i`, and fills up arrays to lengths such as `256 * ((N + 255) / 256)`. That these lie in their
/// arrays, and that those are no shorter, is true, but beyond the algebra of sizes.
#[test]
fn lowering_keeps_all_types_but_the_positions_in_what_it_divides() {
    for program in all() {
        let lowered = lower(&take_apart(&program)).expect("its steps apply").program;
        let Err(fault) = check(&lowered, Binders::Unique) else { continue };
        assert!(matches!(fault.kind, FaultKind::Unproved(_)), "{}: {fault:?}", program.name);
    }
}
