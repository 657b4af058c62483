//! Programs that are broken on purpose, each in one way: the checker refuses all of them, for the right
//! reason.

use std::sync::Arc;

use crate::support::program;
use lift_core::ir::nat::{Nat, Var};
use lift_core::ir::scalar::{Literal, ScalarType};
use lift_core::ir::typed::check::{Binders, FaultKind, check};
use lift_core::ir::typed::result::{Mismatch, Purpose};
use lift_core::ir::typed::{Expr, ExprKind, Lambda, Layout, Position, Program, Variable};
use lift_core::ir::types::Type;

/// What the checker says of a program where `change` was applied to every node.
fn broken(text: &str, change: &dyn Fn(&Expr) -> Option<Expr>) -> FaultKind {
    fn everywhere(expr: &Arc<Expr>, change: &dyn Fn(&Expr) -> Option<Expr>) -> Arc<Expr> {
        let inside = expr.with_children(&mut |child| everywhere(child, change));
        change(&inside).map_or(inside, Arc::new)
    }
    let program = program(text);
    assert_eq!(check(&program, Binders::Unique), Ok(()), "{text}");
    let body = everywhere(&program.body, change);
    refused(&program.with_body(body, program.next_id))
}

fn refused(program: &Program) -> FaultKind {
    check(program, Binders::Unique).expect_err("it is broken").kind
}

/// Another form, of the same type.
fn changed(change: impl Fn(&ExprKind) -> Option<ExprKind>) -> impl Fn(&Expr) -> Option<Expr> {
    move |expr| Some(Expr { kind: change(&expr.kind)?, ..expr.clone() })
}

/// Another function of maps.
fn mapped(change: impl Fn(&Lambda) -> Lambda) -> impl Fn(&Expr) -> Option<Expr> {
    changed(move |kind| match kind {
        ExprKind::Map(kind, function, input) => Some(ExprKind::Map(*kind, change(function), input.clone())),
        _ => None,
    })
}

#[test]
fn a_node_states_the_type_that_follows_from_its_parts() {
    let fault = broken("|a: [f32; N]| a >> map(|x| x + 1.0)", &|expr| {
        let is_map = matches!(expr.kind, ExprKind::Map(..));
        is_map.then(|| Expr { ty: Type::array(Type::Scalar(ScalarType::F64), Nat::one()), ..expr.clone() })
    });
    assert!(matches!(fault, FaultKind::Mismatch(Mismatch::Types { .. })), "{fault:?}");
}

#[test]
fn lengths_that_a_node_states_follow_from_its_parts() {
    let fault = broken("|a: [f32; 12]| a >> split(4) >> map(|row| row >> reduceSeq(add, 0))", &|expr| {
        let ExprKind::Layout(Layout::Split { .. }, input) = &expr.kind else { return None };
        let kind = ExprKind::Layout(Layout::Split { chunk: Nat::constant(3) }, input.clone());
        Some(Expr { kind, ..expr.clone() })
    });
    let FaultKind::Mismatch(Mismatch::Types { sizes: Some((derived, stated)), .. }) = fault else {
        panic!("{fault:?}");
    };
    assert_eq!((derived, stated), (Nat::constant(4), Nat::constant(3)));
}

#[test]
fn variables_are_read_where_they_are_bound() {
    let stranger = Variable { id: 99_999, name: "stranger".into() };
    let fault = broken(
        "|a: [f32; N]| a >> map(|x| x + 1.0)",
        &mapped(|function| {
            let (_, ty) = &function.parameters[0];
            Lambda { parameters: vec![(stranger.clone(), ty.clone())], ..function.clone() }
        }),
    );
    assert!(matches!(fault, FaultKind::Unbound(_)), "{fault:?}");
}

#[test]
fn variables_are_bound_once() {
    let program = program("|a: [f32; N]| a >> map(|x| x + 1.0)");
    let twice = Arc::new(Expr {
        ty: Type::Tuple(vec![program.body.ty.clone(), program.body.ty.clone()]),
        kind: ExprKind::Tuple(vec![program.body.clone(), program.body.clone()]),
        ..program.body.as_ref().clone()
    });
    let twice = program.with_body(twice, program.next_id);
    assert!(matches!(refused(&twice), FaultKind::BoundTwice(_)));
    assert_eq!(check(&twice, Binders::Repeated), Ok(()));
}

#[test]
fn functions_take_what_they_are_applied_to() {
    let fault = broken(
        "|a: [f32; N]| a >> map(|x| x + 1.0)",
        &mapped(|function| {
            let (variable, _) = &function.parameters[0];
            let parameters = vec![(variable.clone(), Type::Scalar(ScalarType::I32))];
            Lambda { parameters, ..function.clone() }
        }),
    );
    assert!(matches!(fault, FaultKind::Mismatch(Mismatch::Types { .. })), "{fault:?}");
    let fault = broken(
        "|a: [f32; N]| a >> map(|x| 1.0)",
        &mapped(|function| Lambda { parameters: Vec::new(), ..function.clone() }),
    );
    assert_eq!(fault, FaultKind::Mismatch(Mismatch::Count { wanted: 1, found: 0 }));
}

#[test]
fn positions_are_known_where_sizes_mention_them() {
    let fault = broken(
        "|a: [i => [f32; i + 1]; N]| a >> map(|row| row >> reduceSeq(add, 0))",
        &mapped(|function| Lambda { index: Some(Var::new(77_777, "p")), ..function.clone() }),
    );
    assert!(matches!(fault, FaultKind::UnknownSize(_)), "{fault:?}");
    let fault = broken(
        "|a: [f32; N]| a >> slice(0, 1)",
        &changed(|kind| match kind {
            ExprKind::Layout(Layout::Slice { length, .. }, input) => {
                let start = Nat::variable(&Var::new(77_777, "p"));
                Some(ExprKind::Layout(Layout::Slice { start, length: length.clone() }, input.clone()))
            }
            _ => None,
        }),
    );
    assert!(matches!(fault, FaultKind::UnknownSize(_)), "{fault:?}");
}

#[test]
fn functions_of_uneven_rows_have_a_position() {
    let fault = broken(
        "|a: [i => [f32; i + 1]; N]| a >> map(|row| 1.0)",
        &mapped(|function| Lambda { index: None, ..function.clone() }),
    );
    // The parameter's type mentions a position that nothing binds.
    assert!(matches!(fault, FaultKind::UnknownSize(_)), "{fault:?}");
}

#[test]
fn what_is_needed_of_sizes_is_an_obligation() {
    let mut program = program("|a: [f32; N]| a >> split(4) >> join");
    program.obligations.clear();
    let FaultKind::Unproved(need) = refused(&program) else { panic!("another fault") };
    assert_eq!(need.purpose, Purpose::ChunksFill);
}

#[test]
fn what_never_holds_is_refuted() {
    let fault = broken(
        "|a: [f32; 12]| a >> at(3)",
        &changed(|kind| match kind {
            ExprKind::At(_, input) => Some(ExprKind::At(Position::Size(Nat::constant(12)), input.clone())),
            _ => None,
        }),
    );
    let FaultKind::Mismatch(Mismatch::Refuted(need)) = fault else { panic!("{fault:?}") };
    assert_eq!(need.purpose, Purpose::ElementExists);
}

#[test]
fn operands_are_of_one_type_and_of_the_right_kind() {
    let fault = broken("|a: f32, b: f32| a + b", &|expr| {
        let ExprKind::Binary(operator, left, _) = &expr.kind else { return None };
        let right = Expr {
            ty: Type::Scalar(ScalarType::F64),
            kind: ExprKind::Literal(Literal::Float("1.0".into())),
            ..expr.clone()
        };
        Some(Expr { kind: ExprKind::Binary(*operator, left.clone(), Arc::new(right)), ..expr.clone() })
    });
    assert!(matches!(fault, FaultKind::Mismatch(Mismatch::Types { .. })), "{fault:?}");
    let fault = broken("|a: f32, b: bool| if b { a } else { 1.0 }", &|expr| {
        let ExprKind::If(_, then, otherwise) = &expr.kind else { return None };
        Some(Expr { kind: ExprKind::If(then.clone(), then.clone(), otherwise.clone()), ..expr.clone() })
    });
    assert!(matches!(fault, FaultKind::Mismatch(Mismatch::Kind { .. })), "{fault:?}");
}

#[test]
fn a_reduction_gives_the_accumulator_that_it_takes() {
    let fault = broken("|a: [f32; N]| a >> reduceSeq(|acc, x| acc + x, 0.0)", &|expr| {
        let ExprKind::Reduce(kind, function, initial, input) = &expr.kind else { return None };
        let initial = Expr { ty: Type::Scalar(ScalarType::F64), ..initial.as_ref().clone() };
        let kind = ExprKind::Reduce(*kind, function.clone(), Arc::new(initial), input.clone());
        Some(Expr { kind, ..expr.clone() })
    });
    assert!(matches!(fault, FaultKind::Mismatch(Mismatch::Types { .. })), "{fault:?}");
}

#[test]
fn tuples_have_the_components_that_are_taken() {
    let fault = broken(
        "|a: (f32, i32)| a.0 + 1.0",
        &changed(|kind| match kind {
            ExprKind::Component(tuple, _) => Some(ExprKind::Component(tuple.clone(), 5)),
            _ => None,
        }),
    );
    assert!(matches!(fault, FaultKind::Mismatch(Mismatch::NoComponent { position: 5, .. })), "{fault:?}");
}

#[test]
fn user_functions_exist_and_stand_before_their_callers() {
    let fault = broken(
        "|a: f32| a + 1.0",
        &changed(|kind| match kind {
            ExprKind::Binary(_, left, _) => Some(ExprKind::Function(0, vec![left.clone()])),
            _ => None,
        }),
    );
    assert_eq!(fault, FaultKind::CalledBeforeDefined(0));
}

#[test]
fn a_scatter_is_a_permutation_and_a_gather_stays_inside() {
    let everywhere_zero = |function: &lift_core::ir::typed::IndexFunction| {
        lift_core::ir::typed::IndexFunction { body: Nat::zero(), ..function.clone() }
    };
    let fault = broken(
        "|a: [f32; 12]| a >> scatter(|i| 11 - i)",
        &changed(move |kind| match kind {
            ExprKind::Layout(Layout::Scatter(function), input) => {
                Some(ExprKind::Layout(Layout::Scatter(everywhere_zero(function)), input.clone()))
            }
            _ => None,
        }),
    );
    assert!(matches!(fault, FaultKind::Mismatch(Mismatch::Collision { .. })), "{fault:?}");
    let fault = broken(
        "|a: [f32; 12]| a >> gather(|i| 11 - i)",
        &changed(|kind| match kind {
            ExprKind::Layout(Layout::Gather(function), input) => {
                let body = &function.body + Nat::one();
                let function = lift_core::ir::typed::IndexFunction { body, ..function.clone() };
                Some(ExprKind::Layout(Layout::Gather(function), input.clone()))
            }
            _ => None,
        }),
    );
    assert!(matches!(fault, FaultKind::Mismatch(Mismatch::Outside { .. })), "{fault:?}");
}
