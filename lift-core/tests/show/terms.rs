//! Equality up to names, fingerprints and fresh binders.

use std::collections::BTreeMap;
use std::sync::Arc;

use lift_core::ir::nat::Nat;
use lift_core::ir::scalar::{BinaryOperator, Literal};
use lift_core::ir::typed::alpha::{alpha_eq, alpha_eq_programs, fingerprint, fingerprint_of_program};
use lift_core::ir::typed::binders::{free_variables, refreshed};
use lift_core::ir::typed::{Expr, ExprKind, Layout, MapKind};

use crate::corpus;
use crate::support::typed;

#[test]
fn a_program_is_the_same_with_fresh_binders() {
    for (name, program) in corpus() {
        let mut next_id = program.next_id;
        let body = refreshed(&program.body, &mut next_id);
        assert!(alpha_eq(&program.body, &body), "{name}");
        assert_eq!(fingerprint(&program.body), fingerprint(&body), "{name}");
        assert_eq!(free_variables(&program.body), free_variables(&body), "{name}");
        let again = program.with_body(body, next_id);
        assert!(alpha_eq_programs(&program, &again), "{name}");
        assert_eq!(fingerprint_of_program(&program), fingerprint_of_program(&again), "{name}");
    }
}

#[test]
fn a_program_that_differs_in_one_place_is_another() {
    for (name, program) in corpus() {
        let places = count(&program.body);
        for place in 0..places {
            let Some(changed) = changed_at(&program.body, place) else { continue };
            assert!(!alpha_eq(&program.body, &changed), "{name}, place {place}");
            assert_ne!(fingerprint(&program.body), fingerprint(&changed), "{name}, place {place}");
        }
    }
}

#[test]
fn programs_of_one_fingerprint_are_the_same() {
    let mut known = BTreeMap::new();
    for (name, program) in corpus() {
        let fingerprint = fingerprint_of_program(&program);
        if let Some((other, same)) = known.get(&fingerprint) {
            assert!(alpha_eq_programs(&program, same), "{name} and {other}");
        }
        known.insert(fingerprint, (name, program));
    }
}

#[test]
fn names_of_variables_sizes_and_positions_make_no_difference() {
    let same = [
        ("|a: [f32; N]| a >> map(|x| x + 1)", "|b: [f32; M]| b >> map(|y| y + 1)"),
        ("|a: [i => [f32; i + 1]; N]| a >> join", "|a: [k => [f32; k + 1]; N]| a >> join"),
        ("|a: [f32; N]| a >> gather(|i| N - 1 - i)", "|a: [f32; K]| a >> gather(|k| K - 1 - k)"),
        ("|a: [f32; N]| generate(N, |i| at(i, a))", "|a: [f32; N]| generate(N, |k| at(k, a))"),
        ("|a: [f32; N]| a >> map(|x| x + 1.0)", "|a: [f32; N]| a >> map(|x| x + 1)"),
    ];
    for (left, right) in same {
        let (left, right) = (typed(left).expect("it has a type"), typed(right).expect("it has a type"));
        assert!(alpha_eq_programs(&left, &right), "{left:?}\n{right:?}");
        assert_eq!(fingerprint_of_program(&left), fingerprint_of_program(&right));
    }
}

#[test]
fn which_variable_is_meant_makes_a_difference() {
    let different = [
        ("|a: [f32; N], b: [f32; N]| zip(a, b)", "|a: [f32; N], b: [f32; N]| zip(b, a)"),
        (
            "|a: [[f32; N]; N]| a >> map(|r| r >> map(|x| x + at(0, r)))",
            "|a: [[f32; N]; N]| a >> map(|r| r >> map(|x| x + x))",
        ),
        ("|a: [[f32; N]; M]| a >> slide(3, 1)", "|a: [[f32; N]; M]| a >> map(slide(3, 1))"),
        ("|a: [f32; N]| a >> split(2)", "|a: [f32; N]| a >> split(4)"),
        (
            "|a: [f32; N]| generate(N, |i| generate(N, |j| at(i, a)))",
            "|a: [f32; N]| generate(N, |i| generate(N, |j| at(j, a)))",
        ),
    ];
    for (left, right) in different {
        let (left, right) = (typed(left).expect("it has a type"), typed(right).expect("it has a type"));
        assert!(!alpha_eq_programs(&left, &right), "{left:?}\n{right:?}");
        assert_ne!(fingerprint_of_program(&left), fingerprint_of_program(&right));
    }
}

fn count(expr: &Expr) -> usize {
    1 + expr.children().map(|child| count(child)).sum::<usize>()
}

/// The term with the node at a place, counted from the root, made another one; `None` where that is not done.
fn changed_at(expr: &Arc<Expr>, place: usize) -> Option<Arc<Expr>> {
    if place == 0 {
        return changed(expr);
    }
    let mut first = 1;
    let mut found = false;
    let result = expr.with_children(&mut |child| {
        let inside = first..first + count(child);
        first = inside.end;
        match inside.contains(&place).then(|| changed_at(child, place - inside.start)) {
            Some(Some(changed)) => {
                found = true;
                changed
            }
            Some(None) | None => child.clone(),
        }
    });
    found.then_some(result)
}

fn changed(expr: &Arc<Expr>) -> Option<Arc<Expr>> {
    let kind = match &expr.kind {
        ExprKind::Literal(Literal::Integer(number)) => ExprKind::Literal(Literal::Integer(number + 1)),
        ExprKind::Literal(Literal::Bool(truth)) => ExprKind::Literal(Literal::Bool(!truth)),
        ExprKind::Literal(Literal::Float(_)) => ExprKind::Literal(Literal::Float("17.5".to_owned())),
        ExprKind::Size(size) => ExprKind::Size(size + Nat::one()),
        ExprKind::Binary(BinaryOperator::Add, left, right) => {
            ExprKind::Binary(BinaryOperator::Subtract, left.clone(), right.clone())
        }
        ExprKind::Binary(_, left, right) => {
            ExprKind::Binary(BinaryOperator::Add, left.clone(), right.clone())
        }
        ExprKind::Map(MapKind::Unspecified, function, input) => {
            ExprKind::Map(MapKind::Sequential, function.clone(), input.clone())
        }
        ExprKind::Map(_, function, input) => {
            ExprKind::Map(MapKind::Unspecified, function.clone(), input.clone())
        }
        ExprKind::Layout(Layout::Split { chunk }, input) => {
            ExprKind::Layout(Layout::Split { chunk: chunk + Nat::one() }, input.clone())
        }
        ExprKind::Layout(Layout::Join, input) => ExprKind::Layout(Layout::Transpose, input.clone()),
        ExprKind::Layout(_, input) => ExprKind::Layout(Layout::Join, input.clone()),
        ExprKind::Component(tuple, position) => ExprKind::Component(tuple.clone(), position + 1),
        ExprKind::Zip(parts) => ExprKind::Concat(parts.clone()),
        ExprKind::Repeat(length, value) => ExprKind::Repeat(length + Nat::one(), value.clone()),
        _ => return None,
    };
    Some(expr.with_kind(kind))
}
