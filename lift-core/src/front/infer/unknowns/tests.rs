//! Making types and sizes equal.

use super::*;

fn setting() -> (Unknowns, Ranges) {
    (Unknowns::new(Vars::default()), Ranges::new())
}

fn origin(parameter: &str) -> Origin {
    Origin { parameter: parameter.into(), depth: 0 }
}

fn length(unknowns: &Unknowns, ty: &Type) -> String {
    unknowns.resolve(ty).shape().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[test]
fn lengths_of_parameters_have_names_that_the_user_understands() {
    let (mut unknowns, mut facts) = setting();
    let a = unknowns.fresh_of(origin("a"));
    let ArrayView::Array(rows) = unknowns.as_array(&a, &mut facts) else { panic!("it becomes an array") };
    unknowns.as_array(&rows.element, &mut facts);
    assert_eq!(length(&unknowns, &a), "len(a), len(a, 1)");
}

#[test]
fn a_size_without_a_name_is_solved_before_one_with_a_name() {
    let (mut unknowns, mut facts) = setting();
    let a = unknowns.fresh_of(origin("a"));
    let nameless = unknowns.fresh_size(&mut facts);
    let other = Type::array(unknowns.fresh(), nameless.clone() + Nat::constant(2));
    assert_eq!(unknowns.unify(&a, &other, &mut facts), Ok(()));
    assert_eq!(length(&unknowns, &a), "len(a)");
    assert_eq!(unknowns.resolve_size(&nameless).to_string(), "len(a) - 2");
}

#[test]
fn sizes_that_nothing_decides_later_must_be_equal_now() {
    let (mut unknowns, mut facts) = setting();
    let (n, m) = (unknowns.vars.fresh("N"), unknowns.vars.fresh("M"));
    let (n, m) = (Nat::variable(&n), Nat::variable(&m));
    let float = Type::Scalar(ScalarType::F32);
    let (left, right) = (Type::array(float.clone(), n.clone()), Type::array(float, m.clone()));
    assert_eq!(unknowns.unify(&left, &right, &mut facts), Err(Mismatch::Size(n, m)));
}

#[test]
fn a_size_that_is_passed_is_compared_at_the_launch() {
    let (mut unknowns, mut facts) = setting();
    let n = unknowns.vars.fresh("n");
    unknowns.passed.push(n.clone());
    let n = Nat::variable(&n);
    assert_eq!(unknowns.unify_sizes(&n, &Nat::constant(3), &mut facts), Ok(()));
    assert_eq!(unknowns.deferred, [Requirement::Equal(n, Nat::constant(3))]);
}

#[test]
fn classes_of_scalars_meet() {
    let (mut unknowns, mut facts) = setting();
    let (number, float) =
        (unknowns.fresh_scalar(ScalarClass::Number), unknowns.fresh_scalar(ScalarClass::Float));
    assert_eq!(unknowns.unify(&number, &float, &mut facts), Ok(()));
    assert_eq!(unknowns.class(&number), Some(ScalarClass::Float));
    let integer = Type::Scalar(ScalarType::I32);
    assert_eq!(unknowns.unify(&number, &integer, &mut facts), Err(Mismatch::Shape));
    assert_eq!(unknowns.unify(&number, &Type::Scalar(ScalarType::F64), &mut facts), Ok(()));
}

fn triangle(unknowns: &mut Unknowns, name: &str, growth: i128) -> Type {
    let index = unknowns.vars.fresh(name);
    let length = Nat::variable(&index) + Nat::constant(growth);
    Type::array_at(&index, Type::array(Type::Scalar(ScalarType::F32), length), Nat::constant(4))
}

#[test]
fn position_dependent_types_are_equal_whatever_they_call_the_position() {
    let (mut unknowns, mut facts) = setting();
    let (left, right) = (triangle(&mut unknowns, "i", 1), triangle(&mut unknowns, "row", 1));
    assert_eq!(unknowns.unify(&left, &right, &mut facts), Ok(()));
    let larger = triangle(&mut unknowns, "i", 2);
    let Err(Mismatch::Size(one, other)) = unknowns.unify(&left, &larger, &mut facts) else {
        panic!("the rows differ")
    };
    assert_eq!((one.to_string(), other.to_string()), ("i + 1".to_owned(), "i + 2".to_owned()));
}

#[test]
fn a_size_that_is_the_same_everywhere_is_not_solved_by_a_position() {
    let (mut unknowns, mut facts) = setting();
    let uneven = triangle(&mut unknowns, "i", 1);
    let size = unknowns.fresh_size(&mut facts);
    let even = Type::array(Type::array(Type::Scalar(ScalarType::F32), size), Nat::constant(4));
    assert!(unknowns.unify(&even, &uneven, &mut facts).is_err());
    let open = Type::array(unknowns.fresh(), Nat::constant(4));
    assert!(unknowns.unify(&open, &uneven, &mut facts).is_err());
}

#[test]
fn a_type_does_not_contain_itself() {
    let (mut unknowns, mut facts) = setting();
    let a = unknowns.fresh();
    let array = Type::array(a.clone(), Nat::constant(2));
    assert_eq!(unknowns.unify(&a, &array, &mut facts), Err(Mismatch::Shape));
}

#[test]
fn a_mistake_equals_every_type_and_spreads() {
    let (mut unknowns, mut facts) = setting();
    let a = unknowns.fresh();
    assert_eq!(unknowns.unify(&a, &Unknowns::mistake(), &mut facts), Ok(()));
    assert!(unknowns.is_mistake(&a));
    assert_eq!(unknowns.unify(&a, &Type::Scalar(ScalarType::F32), &mut facts), Ok(()));
}
