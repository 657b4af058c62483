//! Typed constructors, as a rule of rewriting uses them: split-join, `map f == join . map(map f) . split n`.

use crate::support::{first, program};
use lift_core::ir::nat::Nat;
use lift_core::ir::scalar::{Literal, ScalarType};
use lift_core::ir::typed::build::{Build, Built};
use lift_core::ir::typed::check::{Binders, FaultKind, check};
use lift_core::ir::typed::result::{Mismatch, Purpose};
use lift_core::ir::typed::{Expr, ExprKind, Layout, MapKind, Position, Program, Requirement};

/// `join . map(map f) . split chunk`, for a map.
fn split_join(build: &mut Build<'_>, map: &Expr, chunk: i128) -> Built {
    let ExprKind::Map(kind, function, input) = &map.kind else { panic!("no map") };
    let chunks = build.layout(Layout::Split { chunk: Nat::constant(chunk) }, input.clone())?;
    let mapped = build.map_elements(MapKind::Unspecified, chunks, "chunk", |build, chunk| {
        build.map(*kind, function.clone(), chunk)
    })?;
    build.layout(Layout::Join, mapped)
}

/// The program with its body rewritten, and what that needs.
fn rewritten(program: &Program, chunk: i128) -> Result<(Program, Vec<Requirement>), Mismatch> {
    let mut build = Build::new(program, &program.body, &[], program.next_id);
    let new = split_join(&mut build, &program.body, chunk)?;
    let new = build.in_place_of(&program.body, &new)?;
    let (needs, next_id) = build.finish()?;
    let needs = needs.into_iter().map(|demand| demand.need.requirement).collect();
    Ok((program.with_body(new, next_id), needs))
}

#[test]
fn what_the_ranges_imply_is_not_needed() {
    let program = program("|a: [f32; 4 * N]| a >> map(|x| x + 1.0)");
    let (rewritten, needs) = rewritten(&program, 4).expect("it has a type");
    assert_eq!(needs, Vec::new());
    assert_eq!(rewritten.body.ty, program.body.ty);
    assert_eq!(check(&rewritten, Binders::Unique), Ok(()));
}

#[test]
fn what_the_ranges_do_not_imply_is_needed_and_then_known() {
    let program = program("|a: [f32; N]| a >> map(|x| x + 1.0)");
    let length = program.body.ty.as_array().map(|array| array.length.clone()).expect("it is an array");
    let (rewritten, needs) = rewritten(&program, 4).expect("it has a type");
    // The length of the result is `4 * (N / 4)`, which is `N` where 4 divides `N`.
    assert_eq!(needs, vec![Requirement::Divides(Nat::constant(4), length)]);
    assert_eq!(rewritten.body.ty, program.body.ty);
    let fault = check(&rewritten, Binders::Unique).expect_err("the program does not demand it");
    assert!(matches!(fault.kind, FaultKind::Unproved(need) if need.purpose == Purpose::ChunksFill));
}

#[test]
fn what_the_ranges_refute_is_a_mismatch() {
    let program = program("|a: [f32; 10]| a >> map(|x| x + 1.0)");
    let Err(Mismatch::Refuted(need)) = rewritten(&program, 4) else { panic!("it has a type") };
    assert_eq!(need.purpose, Purpose::ChunksFill);
}

#[test]
fn what_is_needed_at_a_position_is_needed_at_every_one() {
    let program = program("|a: [i => [f32; 3 * i]; N]| a >> map(|row| row >> map(|x| x + 1.0))");
    let ExprKind::Map(_, function, input) = &program.body.kind else { panic!("no map") };
    let (index, count) = (function.index.clone().expect("rows differ"), &input.ty.as_array().unwrap().length);
    let around = [(index.clone(), count.clone())];
    for (chunk, is_needed) in [(3, false), (2, true)] {
        let mut build = Build::new(&program, &function.body, &around, program.next_id);
        let new = split_join(&mut build, &function.body, chunk).expect("it has a type");
        build.in_place_of(&function.body, &new).expect("it has the type of the old one");
        let (needs, _) = build.finish().expect("nothing is refuted");
        assert_eq!(!needs.is_empty(), is_needed, "{needs:?}");
        assert!(needs.iter().all(|demand| !demand.need.requirement.mentions(&index)), "{needs:?}");
    }
}

#[test]
fn the_new_expression_has_the_type_of_the_old_one() {
    let program = program("|a: [f32; N], b: [f32; M], c: [f64; N]| (a, b, c)");
    let ExprKind::Tuple(parts) = &program.body.kind else { panic!("no tuple") };
    let [a, b, c] = parts.as_slice() else { panic!("not three") };
    let build = || Build::new(&program, a, &[], program.next_id);
    let other = build().in_place_of(a, c);
    assert!(matches!(other, Err(Mismatch::Types { sizes: None, .. })), "{other:?}");
    let mut longer = build();
    let replaced = longer.in_place_of(a, b).expect("it is as long for some sizes");
    assert_eq!(replaced.ty, a.ty);
    let (needs, _) = longer.finish().expect("nothing is refuted");
    assert!(matches!(needs.as_slice(), [demand] if demand.need.purpose == Purpose::SameSize), "{needs:?}");
}

#[test]
fn new_nodes_stand_where_the_old_one_stood() {
    let program = program("|a: [f32; N]| a >> reduceSeq(add, 0.0)");
    let old = &program.body;
    let input = first(old, &|expr| matches!(expr.kind, ExprKind::Variable(_))).expect("a is read");
    let mut build = Build::new(&program, old, &[], program.next_id);
    let zero = build.literal(Literal::Integer(0), ScalarType::F32).expect("it has a type");
    let padded = build.pad_constant(Nat::zero(), Nat::one(), zero, input).expect("it has a type");
    let element = build.at(Position::Size(Nat::zero()), padded).expect("it has a type");
    assert_eq!(element.source, old.source);
    assert!(element.id.0 >= program.next_id);
    // There is an element, whatever `N` is.
    assert!(build.finish().is_ok_and(|(needs, _)| needs.is_empty()));
}
