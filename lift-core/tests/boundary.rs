//! Taking tuples at the boundary apart changes how values are passed, not what is computed.

use lift_core::eval::{Argument, Value, evaluate};
use lift_core::front::infer::infer_closure;
use lift_core::front::syntax::Input;
use lift_core::ir::typed::{ParameterType, Program};
use lift_core::ir::types::Type;
use lift_core::middle::tuples::{components, take_apart};

fn typed(text: &str) -> Program {
    let parsed = lift_parser::parse_text(text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    match &parsed.input {
        Some(Input::Closure(closure)) => infer_closure(closure).expect("it has a type"),
        Some(Input::Inline(_) | Input::Items(_)) | None => panic!("{text} is a closure"),
    }
}

/// Some value of a type, with three elements in every dimension; each of its numbers is another one.
fn some_value(ty: &Type, next: &mut i32) -> Value {
    match ty {
        Type::Tuple(parts) => Value::Tuple(parts.iter().map(|part| some_value(part, next)).collect()),
        Type::Array(array) => Value::Array((0..3).map(|_| some_value(&array.element, next)).collect()),
        Type::Scalar(_) | Type::Vector(..) | Type::Size => {
            *next += 1;
            Value::from(*next)
        }
    }
}

/// A value as the arrays and scalars that it is taken apart into.
fn apart(ty: &Type, value: &Value) -> Vec<Value> {
    match ty.innermost() {
        Type::Tuple(parts) => (0..parts.len())
            .flat_map(|position| apart(&ty.component(position), &component(ty, value, position)))
            .collect(),
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Array(_) => vec![value.clone()],
    }
}

fn component(ty: &Type, value: &Value, position: usize) -> Value {
    match (ty, value) {
        (Type::Array(array), Value::Array(elements)) => {
            Value::Array(elements.iter().map(|row| component(&array.element, row, position)).collect())
        }
        (Type::Tuple(_), Value::Tuple(parts)) => parts[position].clone(),
        _ => panic!("{value:?} is no `{ty}`"),
    }
}

const PROGRAMS: [&str; 10] = [
    "|p: (i32, [i32; N])| p.1 >> map(|x| x + p.0)",
    "|p: [(i32, i32); N]| p >> map(|(x, y)| x * 10 + y)",
    "|p: [(i32, (i32, i32)); N]| p",
    "|p: [[(i32, i32); N]; M]| p >> transpose >> map(map(|(x, y)| (y, x)))",
    "|p: [[[(i32, (i32, i32)); N]; M]; 3]| p >> map(join)",
    "|p: ([i32; N], ([[i32; N]; M], i32))| { let (a, (b, c)) = p; (b >> map(reduce(add, c)), a, c) }",
    "|p: [(i32, i32); N], q: ([i32; N], i32)| zip(p, q.0) >> map(|((a, b), c)| a + b * c + q.1)",
    "|a: [i32; N], b: [i32; N]| (zip(a, b), reduce(|(x, y), z| (x + z, y * z), (0, 1), a))",
    "|p: [(i32, i32); N]| unzip(p)",
    "|p: [(i32, i32); N]| if len(p) > 2 { (unzip(p), 1) } else { (unzip(reverse(p)), 2) }",
];

#[test]
fn programs_without_tuples_at_the_boundary_mean_the_same() {
    for text in PROGRAMS {
        let program = typed(text);
        let flat = take_apart(&program);
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        let mut next = 0;
        for parameter in &program.parameters {
            let ParameterType::Value(ty) = &parameter.ty else { panic!("{text} has no sizes") };
            let value = some_value(ty, &mut next);
            parts.extend(apart(ty, &value).into_iter().map(Argument::Value));
            whole.push(Argument::Value(value));
        }
        let expected = evaluate(&program, &whole).expect(text);
        assert_eq!(evaluate(&flat, &parts), Ok(expected), "{text}");
    }
}

#[test]
fn no_parameter_holds_a_tuple_afterwards() {
    for text in PROGRAMS {
        let program = typed(text);
        let types = |program: &Program| -> Vec<Type> {
            let value = |ty: &ParameterType| match ty {
                ParameterType::Value(ty) => Some(ty.clone()),
                ParameterType::Size(_) => None,
            };
            program.parameters.iter().filter_map(|parameter| value(&parameter.ty)).collect()
        };
        let flat = types(&take_apart(&program));
        assert_eq!(flat, types(&program).iter().flat_map(components).collect::<Vec<_>>(), "{text}");
        assert!(flat.iter().all(|ty| matches!(ty.innermost(), Type::Scalar(_))), "{text}");
    }
}

#[test]
fn components_are_named_after_their_places() {
    let names = |text| -> Vec<String> {
        let flat = take_apart(&typed(text));
        flat.parameters.iter().map(|parameter| parameter.variable.name.to_string()).collect()
    };
    assert_eq!(names("|a: [i32; N], p: ([i32; N], (i32, i32))| a"), ["a", "p.0", "p.1.0", "p.1.1"]);
    assert_eq!(names("|p: [(i32, (i32, i32)); N]| p"), ["p.0", "p.1.0", "p.1.1"]);
}
