use super::*;

const NUMBER: Type = Type::Scalar(ScalarType::I32);

fn node(ty: Type, kind: ExprKind) -> Arc<Expr> {
    Arc::new(Expr { id: NodeId(0), ty, source: Source::UNKNOWN, kind })
}

fn variable(id: u32) -> Variable {
    Variable { id, name: "x".into() }
}

fn read(id: u32) -> Arc<Expr> {
    node(NUMBER, ExprKind::Variable(variable(id)))
}

fn sum(left: &Arc<Expr>, right: &Arc<Expr>) -> Arc<Expr> {
    node(NUMBER, ExprKind::Binary(BinaryOperator::Add, left.clone(), right.clone()))
}

fn child(expr: &Expr, position: usize) -> &Arc<Expr> {
    expr.child(position).expect("there is such a child")
}

#[test]
fn a_replacement_copies_the_path_to_it_and_shares_the_rest() {
    let (kept, beside) = (sum(&read(1), &read(2)), read(3));
    let whole = sum(&kept, &sum(&beside, &read(4)));
    let replacement = read(5);
    let replaced = whole.replace(&variable(4), &replacement);
    assert!(Arc::ptr_eq(child(&replaced, 0), &kept));
    assert!(Arc::ptr_eq(child(child(&replaced, 1), 0), &beside));
    assert!(Arc::ptr_eq(child(child(&replaced, 1), 1), &replacement));
}

#[test]
fn a_tree_without_the_variable_stays_as_it_is() {
    let whole = sum(&sum(&read(1), &read(2)), &read(3));
    assert!(Arc::ptr_eq(&whole.replace(&variable(4), &read(5)), &whole));
}

#[test]
fn sizes_are_replaced_in_formulas_and_in_types_and_the_rest_is_shared() {
    let (n, m) = (Var::new(1, "n"), Var::new(2, "m"));
    let rows = |length: &Var| {
        let (length, value) = (Nat::variable(length), read(1));
        node(Type::array(NUMBER, length.clone()), ExprKind::Repeat(length, value))
    };
    let parts = vec![rows(&n), rows(&m)];
    let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
    let whole = node(ty, ExprKind::Tuple(parts));
    let replaced = whole.substitute(&[(m.clone(), Nat::constant(3))].into());
    assert!(Arc::ptr_eq(child(&replaced, 0), child(&whole, 0)));
    assert!(Arc::ptr_eq(child(child(&replaced, 1), 0), child(child(&whole, 1), 0)));
    assert!(matches!(&child(&replaced, 1).kind, ExprKind::Repeat(length, _) if *length == Nat::constant(3)));
    assert_eq!(child(&replaced, 1).ty, Type::array(NUMBER, Nat::constant(3)));
    assert!(Arc::ptr_eq(&replaced.substitute(&[(m, Nat::constant(4))].into()), &replaced));
}

#[test]
fn a_node_in_two_places_has_two_places() {
    let operand = read(1);
    let twice = sum(&operand, &operand);
    let (left, right) = (child(&twice, 0), child(&twice, 1));
    assert!(Arc::ptr_eq(left, right));
    assert!(is_same_place(left, left) && !is_same_place(left, right));
}
