//! Tests of the meaning of every form, on trees built by hand.

use std::sync::Arc;

use super::environment::Environment;
use super::layout::Place;
use super::*;
use crate::ir::nat::{Nat, Var};
use crate::ir::primitive::builtin::Builtin;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarClass, ScalarType, TypeParameter, UnaryOperator};
use crate::ir::source::Source;
use crate::ir::typed::{
    AddressSpace, Binding, Boundary, Expr, ExprKind, Function, IndexFunction, IndexFunctionKind, Lambda,
    Laws, Layout, MapKind, NodeId, Obligation, Parameter, ParameterType, Position, ReduceKind, Requirement,
    ScanKind, SizeVariable, Variable,
};
use crate::ir::types::{ArrayType, Type};

const I32: Type = Type::Scalar(ScalarType::I32);
const F32: Type = Type::Scalar(ScalarType::F32);

fn constant(value: i128) -> Nat {
    Nat::constant(value)
}

/// The letters of a word, as numbers.
fn letters(word: &str) -> Vec<Value> {
    word.bytes().map(|letter| Value::from(i32::from(letter))).collect()
}

/// Letters next to each other, inner arrays in brackets.
fn show(elements: &[Value]) -> String {
    let show_one = |element: &Value| match element {
        Value::Array(inner) => format!("[{}]", show(inner)),
        Value::Integer(_, letter) => u8::try_from(*letter).map_or('?', char::from).to_string(),
        other => format!("{other:?}"),
    };
    elements.iter().map(show_one).collect()
}

fn apply(layout: &Layout, elements: &[Value], length: i128) -> Result<String, EvalError> {
    let mut environment = Environment::default();
    let mut place = Place { environment: &mut environment, source: Source::UNKNOWN };
    place.apply(layout, elements, &constant(length)).map(|elements| show(&elements))
}

fn pad(left: i128, right: i128, boundary: Boundary, word: &str) -> Result<String, EvalError> {
    let layout = Layout::Pad { left: constant(left), right: constant(right), boundary };
    apply(&layout, &letters(word), left + right + word.len() as i128)
}

#[test]
fn pad_takes_border_elements_from_inside_as_the_thesis_draws_them() {
    // Hagedorn's thesis, figure 2.7, and definition 2.12.
    assert_eq!(pad(1, 2, Boundary::Clamp, "abcdefg").as_deref(), Ok("aabcdefggg"));
    assert_eq!(pad(1, 2, Boundary::Mirror, "abcdefg").as_deref(), Ok("aabcdefggf"));
    assert_eq!(pad(1, 2, Boundary::Wrap, "abcdefg").as_deref(), Ok("gabcdefgab"));
}

#[test]
fn a_border_wider_than_the_array_reflects_and_wraps_again() {
    // `numpy.pad("abc", 7, "symmetric")` and `"wrap"`.
    assert_eq!(pad(7, 7, Boundary::Mirror, "abc").as_deref(), Ok("aabccbaabccbaabcc"));
    assert_eq!(pad(4, 4, Boundary::Wrap, "abc").as_deref(), Ok("cabcabcabca"));
    assert_eq!(pad(3, 2, Boundary::Mirror, "a").as_deref(), Ok("aaaaaa"));
    assert_eq!(pad(2, 2, Boundary::Clamp, "a").as_deref(), Ok("aaaaa"));
}

#[test]
fn a_custom_boundary_gets_signed_positions_outside_the_array_only() {
    // `|i, n| i % n` with a Euclidean remainder is `wrap`; it is not asked for positions inside.
    let index = Var::new(100, "i");
    let body = (constant(2) * Nat::variable(&index)).modulo(&constant(3));
    let function = IndexFunction { kind: IndexFunctionKind::Custom, index, body };
    assert_eq!(pad(2, 1, Boundary::Custom(function), "abc").as_deref(), Ok("cbabca"));
}

#[test]
fn padding_an_empty_array_is_an_error_unless_nothing_is_read() {
    for boundary in [Boundary::Clamp, Boundary::Mirror, Boundary::Wrap] {
        let result = pad(1, 0, boundary.clone(), "");
        assert!(matches!(result, Err(EvalError::OutOfBounds { .. })), "{boundary:?}: {result:?}");
        assert_eq!(pad(0, 0, boundary, "").as_deref(), Ok(""));
    }
}

#[test]
fn gather_reads_where_its_function_points() {
    let index = || Var::new(100, "i");
    let length = constant(6);
    let cases = [
        (IndexFunction::reverse(index(), &length), "fedcba"),
        (IndexFunction::stride(index(), &constant(2), &length), "acebdf"),
        (IndexFunction::stride(index(), &constant(3), &length), "adbecf"),
        (IndexFunction::rotate(index(), &constant(2), &length), "cdefab"),
        (IndexFunction::rotate(index(), &constant(8), &length), "cdefab"),
    ];
    for (function, expected) in cases {
        let inverse = function.inverse(&length).map(Layout::Gather);
        let gathered = Layout::Gather(function);
        assert_eq!(apply(&gathered, &letters("abcdef"), 6).as_deref(), Ok(expected));
        let undone = inverse.map(|inverse| apply(&inverse, &letters(expected), 6));
        assert_eq!(undone, Some(Ok("abcdef".to_owned())), "the inverse of {gathered:?}");
    }
}

#[test]
fn a_gather_outside_the_array_is_an_error() {
    let index = Var::new(100, "i");
    let body = Nat::variable(&index) + constant(1);
    let gather = Layout::Gather(IndexFunction { kind: IndexFunctionKind::Custom, index, body });
    let error = EvalError::OutOfBounds { source: Source::UNKNOWN, position: 3, length: 3 };
    assert_eq!(apply(&gather, &letters("abc"), 3), Err(error));
}

#[test]
fn scatter_writes_where_its_function_points() {
    let index = || Var::new(100, "i");
    let length = constant(6);
    let cases = [
        (IndexFunction::reverse(index(), &length), "fedcba"),
        (IndexFunction::stride(index(), &constant(2), &length), "adbecf"),
        (IndexFunction::rotate(index(), &constant(2), &length), "efabcd"),
    ];
    for (function, expected) in cases {
        let gathered = Layout::Gather(function.clone());
        let scattered = Layout::Scatter(function);
        assert_eq!(apply(&scattered, &letters("abcdef"), 6).as_deref(), Ok(expected));
        assert_eq!(apply(&gathered, &letters(expected), 6).as_deref(), Ok("abcdef"));
    }
    assert_eq!(
        apply(&Layout::Scatter(IndexFunction::reverse(index(), &constant(0))), &[], 0).as_deref(),
        Ok("")
    );
}

#[test]
fn a_scatter_that_is_no_permutation_is_an_error() {
    let index = Var::new(100, "i");
    let custom =
        |body| Layout::Scatter(IndexFunction { kind: IndexFunctionKind::Custom, index: index.clone(), body });
    let halved = custom(Nat::variable(&index).divide(&constant(2)));
    let twice = EvalError::NoPermutation { source: Source::UNKNOWN, position: 0 };
    assert_eq!(apply(&halved, &letters("abcd"), 4), Err(twice));
    let shifted = custom(Nat::variable(&index) + constant(1));
    let outside = EvalError::OutOfBounds { source: Source::UNKNOWN, position: 3, length: 3 };
    assert_eq!(apply(&shifted, &letters("abc"), 3), Err(outside));
}

#[test]
fn a_slice_takes_elements_in_a_row_and_none_from_outside() {
    let slice = |start, length| {
        let layout = Layout::Slice { start: constant(start), length: constant(length) };
        apply(&layout, &letters("abcdef"), length)
    };
    assert_eq!(slice(1, 3).as_deref(), Ok("bcd"));
    assert_eq!(slice(0, 6).as_deref(), Ok("abcdef"));
    assert_eq!(slice(6, 0).as_deref(), Ok(""));
    assert!(matches!(slice(4, 3), Err(EvalError::OutOfBounds { position: 6, length: 6, .. })));
}

#[test]
fn more_room_around_an_array_changes_nothing_in_it() {
    let increase = Layout::Increase { left: constant(2), right: constant(1) };
    assert_eq!(apply(&increase, &letters("abc"), 3).as_deref(), Ok("abc"));
}

#[test]
fn split_join_transpose_and_slide_arrange_elements_as_the_thesis_defines_them() {
    let split = |chunk| Layout::Split { chunk: constant(chunk) };
    let slide = |size, step| Layout::Slide { size: constant(size), step: constant(step) };
    let rows = ["abc", "def"].map(|row| Value::Array(letters(row).into()));
    assert_eq!(apply(&split(2), &letters("abcdef"), 3).as_deref(), Ok("[ab][cd][ef]"));
    assert_eq!(apply(&split(0), &letters(""), 1).as_deref(), Ok("[]"));
    assert_eq!(apply(&split(0), &letters(""), 3).as_deref(), Ok("[][][]"));
    assert!(apply(&split(0), &letters("a"), 1).is_err());
    assert_eq!(apply(&Layout::Join, &rows, 6).as_deref(), Ok("abcdef"));
    assert_eq!(apply(&Layout::Transpose, &rows, 3).as_deref(), Ok("[ad][be][cf]"));
    assert_eq!(apply(&slide(3, 1), &letters("abcde"), 3).as_deref(), Ok("[abc][bcd][cde]"));
    assert_eq!(apply(&slide(3, 2), &letters("abcdefg"), 3).as_deref(), Ok("[abc][cde][efg]"));
    assert_eq!(apply(&slide(2, 3), &letters("abcde"), 2).as_deref(), Ok("[ab][de]"));
}

#[test]
fn a_length_that_does_not_divide_is_an_error() {
    for chunk in [0, 4] {
        let split = Layout::Split { chunk: constant(chunk) };
        assert!(matches!(apply(&split, &letters("abcdef"), 1), Err(EvalError::Malformed { .. })));
    }
}

#[test]
fn rows_take_elements_in_turn_and_give_them_back() {
    let deinterleave = |rows| Layout::Deinterleave { rows: constant(rows) };
    for (rows, apart) in [(1, "[abcde]"), (2, "[ace][bd]"), (5, "[a][b][c][d][e]"), (6, "[a][b][c][d][e][]")]
    {
        assert_eq!(apply(&deinterleave(rows), &letters("abcde"), rows).as_deref(), Ok(apart));
    }
    let rows = |rows: &[&str]| rows.iter().map(|row| Value::Array(letters(row).into())).collect::<Vec<_>>();
    assert_eq!(apply(&Layout::Interleave, &rows(&["ad", "be", "c"]), 5).as_deref(), Ok("abcde"));
    assert_eq!(apply(&Layout::Interleave, &rows(&["a", "b", ""]), 2).as_deref(), Ok("ab"));
    for uneven in [rows(&["a", "bc"]), rows(&["abc", "d"])] {
        let malformed = apply(&Layout::Interleave, &uneven, 3);
        assert!(matches!(malformed, Err(EvalError::Malformed { .. })), "{malformed:?}");
    }
    assert!(matches!(apply(&deinterleave(0), &letters("a"), 0), Err(EvalError::Malformed { .. })));
}

#[test]
fn the_transpose_of_no_rows_has_empty_columns() {
    assert_eq!(apply(&Layout::Transpose, &[], 3).as_deref(), Ok("[][][]"));
}

// Programs.

fn expr(ty: Type, kind: ExprKind) -> Arc<Expr> {
    Arc::new(Expr { id: NodeId(0), ty, source: Source::UNKNOWN, kind })
}

fn variable(id: u32, name: &str) -> Variable {
    Variable { id, name: name.into() }
}

fn read(id: u32, ty: Type) -> Arc<Expr> {
    expr(ty, ExprKind::Variable(variable(id, "x")))
}

fn integer(value: i128) -> Arc<Expr> {
    expr(I32, ExprKind::Literal(Literal::Integer(value)))
}

fn binary(operator: BinaryOperator, left: Arc<Expr>, right: Arc<Expr>) -> Arc<Expr> {
    let ty = if operator.is_comparison() { Type::Scalar(ScalarType::Bool) } else { left.ty.clone() };
    expr(ty, ExprKind::Binary(operator, left, right))
}

fn lambda(parameters: Vec<(u32, Type)>, body: Arc<Expr>) -> Lambda {
    let parameters = parameters.into_iter().map(|(id, ty)| (variable(id, "x"), ty)).collect();
    Lambda { parameters, index: None, body }
}

fn map(kind: MapKind, function: Lambda, input: Arc<Expr>) -> Arc<Expr> {
    let length = input.ty.as_array().map_or(Nat::zero(), |array| array.length.clone());
    let ty = Type::array(function.body.ty.clone(), length);
    expr(ty, ExprKind::Map(kind, function, input))
}

fn reduce(function: Lambda, initial: Arc<Expr>, input: Arc<Expr>) -> Arc<Expr> {
    let ty = initial.ty.clone();
    expr(ty, ExprKind::Reduce(ReduceKind::Sequential, function, initial, input))
}

fn zip(inputs: Vec<Arc<Expr>>) -> Arc<Expr> {
    let arrays: Vec<_> = inputs.iter().filter_map(|input| input.ty.as_array()).collect();
    let length = arrays.first().map_or(Nat::zero(), |array| array.length.clone());
    let element = Type::Tuple(arrays.iter().map(|array| array.element.clone()).collect());
    expr(Type::array(element, length), ExprKind::Zip(inputs))
}

fn component(tuple: Arc<Expr>, position: usize) -> Arc<Expr> {
    let ty = match &tuple.ty {
        Type::Tuple(components) => components[position].clone(),
        other => other.clone(),
    };
    expr(ty, ExprKind::Component(tuple, position))
}

fn parameter(id: u32, ty: Type) -> Parameter {
    Parameter { variable: variable(id, "a"), ty: ParameterType::Value(ty), source: Source::UNKNOWN }
}

fn size_variable(variable: &Var) -> SizeVariable {
    SizeVariable { minimum: 1, ..SizeVariable::new(variable.clone(), variable.name().to_owned()) }
}

fn program(sizes: &[&Var], parameters: Vec<Parameter>, body: Arc<Expr>) -> Program {
    let sizes = sizes.iter().map(|variable| size_variable(variable)).collect();
    Program { sizes, parameters, ..Program::new("test", body, 1000) }
}

/// The value of an expression without parameters.
fn value_of(body: Arc<Expr>) -> Result<Value, EvalError> {
    evaluate(&program(&[], Vec::new(), body), &[])
}

fn numbers(numbers: &[i32]) -> Argument {
    Argument::Value(Value::i32_array(numbers.iter().copied()))
}

fn literals(values: &[i128]) -> Arc<Expr> {
    let ty = Type::array(I32, constant(values.len() as i128));
    expr(ty, ExprKind::ArrayLiteral(values.iter().map(|value| integer(*value)).collect()))
}

#[test]
fn a_dot_product_zips_multiplies_and_adds_in_order() {
    let n = Var::new(1, "N");
    let vector = Type::array(F32, Nat::variable(&n));
    let pair = Type::Tuple(vec![F32, F32]);
    let product = binary(
        BinaryOperator::Multiply,
        component(read(12, pair.clone()), 0),
        component(read(12, pair.clone()), 1),
    );
    let products = map(
        MapKind::Unspecified,
        lambda(vec![(12, pair)], product),
        zip(vec![read(10, vector.clone()), read(11, vector.clone())]),
    );
    let sum = binary(BinaryOperator::Add, read(13, F32), read(14, F32));
    let zero = expr(F32, ExprKind::Literal(Literal::Integer(0)));
    let body = reduce(lambda(vec![(13, F32), (14, F32)], sum), zero, products);
    let dot = program(&[&n], vec![parameter(10, vector.clone()), parameter(11, vector)], body);
    let argument = |values: &[f32]| Argument::Value(Value::f32_array(values.iter().copied()));

    let result = evaluate(&dot, &[argument(&[1.0, 2.0, 3.0]), argument(&[4.0, 5.0, 6.0])]);
    assert_eq!(result, Ok(Value::F32(32.0)));
    // In order, and in single precision: the small number is lost before the large one is subtracted again.
    let result = evaluate(&dot, &[argument(&[1.0, 1.0, 1.0]), argument(&[1e8, 1.0, -1e8])]);
    assert_eq!(result, Ok(Value::F32(0.0)));
    let result = evaluate(&dot, &[argument(&[1.0]), argument(&[1.0, 2.0])]);
    assert!(matches!(result, Err(EvalError::Argument { .. })), "{result:?}");
}

#[test]
fn a_reduction_starts_from_its_initial_value_and_folds_from_the_left() {
    let minus = || {
        let body = binary(BinaryOperator::Subtract, read(1, I32), read(2, I32));
        lambda(vec![(1, I32), (2, I32)], body)
    };
    assert_eq!(value_of(reduce(minus(), integer(10), literals(&[1, 2, 3]))), Ok(4.into()));
    assert_eq!(value_of(reduce(minus(), integer(10), literals(&[]))), Ok(10.into()));
}

#[test]
fn an_unrolled_reduction_is_the_same_reduction() {
    let body = binary(BinaryOperator::Subtract, read(1, I32), read(2, I32));
    let function = lambda(vec![(1, I32), (2, I32)], body);
    let (initial, input) = (integer(10), literals(&[1, 2, 3]));
    let kind = ExprKind::Reduce(ReduceKind::Unrolled, function, initial, input);
    assert_eq!(value_of(expr(I32, kind)), Ok(4.into()));
}

#[test]
fn who_computes_a_map_and_where_it_is_stored_make_no_difference() {
    let kinds = [
        MapKind::Unspecified,
        MapKind::Sequential,
        MapKind::Unrolled,
        MapKind::Global(0),
        MapKind::WorkGroup(1),
        MapKind::Local(2),
    ];
    for kind in kinds {
        let negate = expr(I32, ExprKind::Unary(UnaryOperator::Negate, read(1, I32)));
        let mapped = map(kind, lambda(vec![(1, I32)], negate), literals(&[1, -2]));
        let stored = expr(mapped.ty.clone(), ExprKind::Store(Some(AddressSpace::Local), mapped));
        assert_eq!(value_of(stored), Ok(Value::i32_array([-1, 2])), "{kind:?}");
    }
}

#[test]
fn only_the_taken_branch_is_evaluated() {
    let broken = || read(99, I32);
    let choose = |condition: bool, then: Arc<Expr>, otherwise: Arc<Expr>| {
        let condition = expr(Type::Scalar(ScalarType::Bool), ExprKind::Literal(Literal::Bool(condition)));
        value_of(expr(I32, ExprKind::If(condition, then, otherwise)))
    };
    assert_eq!(choose(true, integer(1), broken()), Ok(1.into()));
    assert_eq!(choose(false, broken(), integer(2)), Ok(2.into()));
    assert!(matches!(choose(true, broken(), integer(2)), Err(EvalError::Malformed { .. })));
}

#[test]
fn let_binds_a_value_in_its_body_only() {
    let square = binary(BinaryOperator::Multiply, read(1, I32), read(1, I32));
    let bound = |body| {
        let binding = Binding { variable: variable(1, "x"), value: integer(7) };
        expr(I32, ExprKind::bound(vec![binding], body))
    };
    assert_eq!(value_of(bound(square)), Ok(49.into()));
    let escaped = binary(BinaryOperator::Add, bound(integer(1)), read(1, I32));
    assert!(matches!(value_of(escaped), Err(EvalError::Malformed { .. })));
}

#[test]
fn pad_constant_puts_its_value_at_both_ends() {
    let ty = Type::array(I32, constant(5));
    let (value, input) = (integer(9), literals(&[1, 2]));
    let kind = ExprKind::PadConstant { left: constant(1), right: constant(2), value, input };
    assert_eq!(value_of(expr(ty, kind)), Ok(Value::i32_array([9, 1, 2, 9, 9])));
}

/// An array of `i32` with a known length.
fn vector_of(length: i128, kind: ExprKind) -> Arc<Expr> {
    expr(Type::array(I32, constant(length)), kind)
}

#[test]
fn concat_puts_arrays_one_after_the_other() {
    let parts = || vec![literals(&[1, 2]), literals(&[]), literals(&[3])];
    assert_eq!(value_of(vector_of(3, ExprKind::Concat(parts()))), Ok(Value::i32_array([1, 2, 3])));
    let wrong_length = value_of(vector_of(4, ExprKind::Concat(parts())));
    assert!(matches!(wrong_length, Err(EvalError::Malformed { .. })), "{wrong_length:?}");
}

fn element_at(position: Position, elements: &[i128]) -> Result<Value, EvalError> {
    value_of(expr(I32, ExprKind::At(position, literals(elements))))
}

#[test]
fn at_takes_the_element_at_a_size_which_must_lie_inside() {
    let at = |position| element_at(Position::Size(constant(position)), &[7, 8, 9]);
    assert_eq!([at(0), at(2)], [Ok(7.into()), Ok(9.into())]);
    for position in [-1, 3] {
        let outside = EvalError::OutOfBounds { source: Source::UNKNOWN, position, length: 3 };
        assert_eq!(at(position), Err(outside));
    }
}

#[test]
fn at_clamps_a_position_computed_from_data_into_the_array() {
    let at = |position, elements: &[i128]| element_at(Position::Clamped(integer(position)), elements);
    for (position, expected) in [(-100, 7), (-1, 7), (0, 7), (1, 8), (2, 9), (3, 9), (100, 9)] {
        assert_eq!(at(position, &[7, 8, 9]), Ok(expected.into()), "position {position}");
    }
    assert!(matches!(at(0, &[]), Err(EvalError::OutOfBounds { length: 0, .. })));
}

#[test]
fn at_gives_the_default_for_a_position_outside_the_array() {
    let at = |position, elements: &[i128]| {
        let position = Position::OrDefault(integer(position), integer(-5));
        element_at(position, elements)
    };
    for (position, expected) in [(-1, -5), (0, 7), (2, 9), (3, -5)] {
        assert_eq!(at(position, &[7, 8, 9]), Ok(expected.into()), "position {position}");
    }
    assert_eq!(at(0, &[]), Ok((-5).into()));
}

#[test]
fn generate_computes_an_element_from_each_position() {
    let index = Var::new(1, "i");
    let square = expr(I32, ExprKind::Size(Nat::variable(&index) * Nat::variable(&index)));
    let function = Lambda { index: Some(index), ..lambda(Vec::new(), square) };
    let generate = |length| vector_of(length, ExprKind::Generate(constant(length), function.clone()));
    assert_eq!(value_of(generate(4)), Ok(Value::i32_array([0, 1, 4, 9])));
    assert_eq!(value_of(generate(0)), Ok(Value::i32_array([])));
}

#[test]
fn repeat_has_one_value_everywhere() {
    let repeat = |length| vector_of(length, ExprKind::Repeat(constant(length), integer(7)));
    assert_eq!(value_of(repeat(3)), Ok(Value::i32_array([7, 7, 7])));
    assert_eq!(value_of(repeat(0)), Ok(Value::i32_array([])));
}

#[test]
fn unzip_undoes_zip_also_of_no_elements() {
    for elements in [&[1, 2, 3][..], &[]] {
        let array = literals(elements);
        let ty = Type::Tuple(vec![array.ty.clone(), array.ty.clone()]);
        let zipped = zip(vec![array.clone(), array]);
        let expected = Value::i32_array(elements.iter().map(|element| *element as i32));
        let unzipped = value_of(expr(ty, ExprKind::Unzip(zipped)));
        assert_eq!(unzipped, Ok(Value::Tuple(vec![expected.clone(), expected])));
    }
}

fn scan(kind: ScanKind, elements: &[i128]) -> Result<Value, EvalError> {
    let minus = binary(BinaryOperator::Subtract, read(1, I32), read(2, I32));
    let function = lambda(vec![(1, I32), (2, I32)], minus);
    let (initial, input) = (integer(10), literals(elements));
    value_of(vector_of(elements.len() as i128, ExprKind::Scan(kind, function, initial, input)))
}

#[test]
fn an_exclusive_scan_has_what_was_reduced_before_each_element() {
    for kind in [ScanKind::Exclusive, ScanKind::ExclusiveSequential] {
        assert_eq!(scan(kind, &[1, 2, 3]), Ok(Value::i32_array([10, 9, 7])));
        assert_eq!(scan(kind, &[1]), Ok(Value::i32_array([10])));
        assert_eq!(scan(kind, &[]), Ok(Value::i32_array([])));
    }
}

#[test]
fn an_inclusive_scan_starts_from_the_first_element() {
    assert_eq!(scan(ScanKind::Inclusive, &[1, 2, 3]), Ok(Value::i32_array([1, -1, -4])));
    assert_eq!(scan(ScanKind::Inclusive, &[5]), Ok(Value::i32_array([5])));
    assert_eq!(scan(ScanKind::Inclusive, &[]), Ok(Value::i32_array([])));
}

#[test]
fn iterate_applies_a_function_whose_type_changes_with_every_step() {
    // Halving by adding neighbours: the length is `8 / 2^i` before application `i` and half of that after it.
    let step = Var::new(1, "i");
    let power = |exponent: Nat| constant(2).pow(&exponent);
    let length_before = constant(8).divide(&power(Nat::variable(&step)));
    let length_after = constant(8).divide(&power(Nat::variable(&step) + constant(1)));
    let before = Type::array(I32, length_before);
    let pair = Type::array(I32, constant(2));
    let split = expr(
        Type::array(pair.clone(), length_after.clone()),
        ExprKind::Layout(Layout::Split { chunk: constant(2) }, read(1, before.clone())),
    );
    let sum = binary(BinaryOperator::Add, read(3, I32), read(4, I32));
    let add = reduce(lambda(vec![(3, I32), (4, I32)], sum), integer(0), read(2, pair.clone()));
    let halve = map(MapKind::Unspecified, lambda(vec![(2, pair)], add), split);
    let function = Lambda { index: Some(step), ..lambda(vec![(1, before)], halve) };
    let iterate = |steps, length| {
        let input = literals(&[1, 2, 3, 4, 5, 6, 7, 8]);
        value_of(vector_of(length, ExprKind::Iterate(constant(steps), function.clone(), input)))
    };
    assert_eq!(iterate(3, 1), Ok(Value::i32_array([36])));
    assert_eq!(iterate(1, 4), Ok(Value::i32_array([3, 7, 11, 15])));
    assert_eq!(iterate(0, 8), Ok(Value::i32_array(1..=8)));
}

#[test]
fn user_functions_and_builtins_are_applied_to_their_arguments() {
    let sum = binary(BinaryOperator::Add, read(1, I32), read(2, I32));
    let add = Function {
        name: "add".to_owned(),
        parameters: vec![(variable(1, "x"), I32), (variable(2, "y"), I32)],
        body: sum,
        laws: Laws::default(),
    };
    let inner = expr(I32, ExprKind::Function(0, vec![integer(1), integer(2)]));
    let outer = expr(I32, ExprKind::Function(0, vec![inner, integer(4)]));
    let larger = expr(I32, ExprKind::Builtin(Builtin::Max, vec![outer, integer(5)]));
    let program = Program { functions: vec![add], ..program(&[], Vec::new(), larger) };
    assert_eq!(evaluate(&program, &[]), Ok(7.into()));
}

#[test]
fn a_size_is_a_number_of_the_type_it_was_cast_to() {
    let n = Var::new(1, "N");
    let size = || expr(Type::Size, ExprKind::Size(Nat::variable(&n) + constant(1)));
    let cast = expr(F32, ExprKind::Cast(ScalarType::F32, size()));
    let direct = expr(I32, ExprKind::Size(Nat::variable(&n)));
    let body = expr(Type::Tuple(vec![F32, Type::Size, I32]), ExprKind::Tuple(vec![cast, size(), direct]));
    let declared = Parameter { ty: ParameterType::Size(n.clone()), ..parameter(10, I32) };
    let program = program(&[&n], vec![declared], body);
    let expected = Value::Tuple(vec![Value::F32(4.0), Value::Size(4), 3.into()]);
    assert_eq!(evaluate(&program, &[Argument::Size(3)]), Ok(expected));
    let too_small = EvalError::SizeTooSmall { name: "N".to_owned(), minimum: 1, found: 0 };
    assert_eq!(evaluate(&program, &[Argument::Size(0)]), Err(too_small));
}

#[test]
fn an_element_type_is_fixed_by_the_argument() {
    let open = TypeParameter { index: 0, class: ScalarClass::Number };
    let element = Type::Scalar(ScalarType::Parameter(open));
    let n = Var::new(1, "N");
    let array = Type::array(element.clone(), Nat::variable(&n));
    let two = expr(element.clone(), ExprKind::Literal(Literal::Integer(2)));
    let twice = binary(BinaryOperator::Multiply, read(11, element.clone()), two);
    let body = map(MapKind::Unspecified, lambda(vec![(11, element)], twice), read(10, array.clone()));
    let program = Program { type_parameters: vec![open], ..program(&[&n], vec![parameter(10, array)], body) };
    assert_eq!(evaluate(&program, &[numbers(&[1, 2])]), Ok(Value::i32_array([2, 4])));
    let floats = Argument::Value(Value::f32_array([1.5]));
    assert_eq!(evaluate(&program, &[floats]), Ok(Value::f32_array([3.0])));
    let truths = Argument::Value(Value::Array([Value::Bool(true)].into()));
    assert_eq!(evaluate(&program, &[truths]), Err(EvalError::ElementType { index: 0 }));
}

#[test]
fn a_size_inside_an_expression_is_solved_for() {
    let n = Var::new(1, "N");
    let triple = Type::array(I32, constant(3) * Nat::variable(&n));
    let program = program(&[&n], vec![parameter(10, triple.clone())], read(10, triple));
    assert!(evaluate(&program, &[numbers(&[1, 2, 3, 4, 5, 6])]).is_ok());
    let unsolved = EvalError::UnsolvedSize { name: "N".to_owned() };
    assert_eq!(evaluate(&program, &[numbers(&[1, 2])]), Err(unsolved));
}

#[test]
fn an_unmet_obligation_is_an_error_in_the_users_words() {
    let n = Var::new(1, "N");
    let array = Type::array(I32, Nat::variable(&n));
    let text = "`split(4)` needs 4 to divide `N`";
    let obligation = Obligation {
        requirement: Requirement::Divides(constant(4), Nat::variable(&n)),
        text: text.to_owned(),
        source: Source::UNKNOWN,
    };
    let program = Program {
        obligations: vec![obligation],
        ..program(&[&n], vec![parameter(10, array.clone())], read(10, array))
    };
    assert!(evaluate(&program, &[numbers(&[1, 2, 3, 4])]).is_ok());
    let unmet = evaluate(&program, &[numbers(&[1, 2, 3])]);
    assert_eq!(unmet, Err(EvalError::Obligation { text: text.to_owned() }));
}

#[test]
fn the_rows_of_a_triangle_have_the_lengths_that_their_positions_say() {
    // `[i => [i32; i + 1]; N]`: Pizzuti, Steuwer, Dubach, FHPNC 2019.
    let (n, i, j) = (Var::new(1, "N"), Var::new(2, "i"), Var::new(3, "j"));
    let row = |index: &Var| Type::array(I32, Nat::variable(index) + constant(1));
    let element = row(&i);
    let triangle = Type::Array(Arc::new(ArrayType { index: Some(i), element, length: Nat::variable(&n) }));
    let sum = binary(BinaryOperator::Add, read(12, I32), read(13, I32));
    let position = expr(I32, ExprKind::Size(Nat::variable(&j)));
    let body = reduce(lambda(vec![(12, I32), (13, I32)], sum), position, read(11, row(&j)));
    let function = Lambda { index: Some(j.clone()), ..lambda(vec![(11, row(&j))], body) };
    let body = map(MapKind::Unspecified, function, read(10, triangle.clone()));
    let program = program(&[&n], vec![parameter(10, triangle)], body);
    let rows = |rows: &[&[i32]]| {
        Argument::Value(Value::Array(rows.iter().map(|row| Value::i32_array(row.iter().copied())).collect()))
    };
    let result = evaluate(&program, &[rows(&[&[1], &[2, 3], &[4, 5, 6]])]);
    assert_eq!(result, Ok(Value::i32_array([1, 6, 17])));
    let ragged = evaluate(&program, &[rows(&[&[1], &[2]])]);
    assert!(matches!(ragged, Err(EvalError::Argument { .. })), "{ragged:?}");
}

#[test]
fn wrong_arguments_are_errors() {
    let n = Var::new(1, "N");
    let array = Type::array(I32, Nat::variable(&n));
    let program = program(&[&n], vec![parameter(10, array.clone())], read(10, array));
    assert_eq!(evaluate(&program, &[]), Err(EvalError::ArgumentCount { expected: 1, found: 0 }));
    let wrong = [Argument::Size(1), Argument::Value(1.into()), Argument::Value(Value::f32_array([1.0]))];
    for argument in wrong {
        let result = evaluate(&program, std::slice::from_ref(&argument));
        assert!(result.is_err(), "{argument:?}");
    }
}

#[test]
fn a_value_that_is_not_of_the_inferred_type_is_found() {
    let lie = expr(Type::array(I32, constant(3)), literals(&[1, 2]).kind.clone());
    assert!(matches!(value_of(lie), Err(EvalError::Malformed { .. })));
}
