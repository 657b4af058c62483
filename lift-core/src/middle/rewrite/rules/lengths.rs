//! Arrays of other lengths: longer ones, so that tiles need no remainder and registers have constant numbers.
//!
//! What is added to an array must not change a result. What a map makes of it is cut off again, a reduction
//! gets what its operator may take without effect, and accumulators that belong to no column are left out in
//! the end.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::lanes::LaneReduction;
use super::parts::{reorderable, size, start};
use crate::ir::nat::Nat;
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};
use crate::ir::typed::build::{Build, Built};
use crate::ir::typed::result::{self, Purpose};
use crate::ir::typed::{Binding, Boundary, Expr, ExprKind, Function, Lambda, Layout, MapKind, Requirement};
use crate::ir::types::Type;
use crate::middle::laws::{Axioms, Identity};

/// A map of a longer array, whose length is a multiple of a number, without what it makes of the added
/// elements: tiles of that length need no remainder.
pub const ROUND_UP: Rule = Rule {
    name: "roundUp",
    statement: "map(f, a) = a >> padConstant(0, (N + n - 1) / n * n - N, 0) >> map(f) >> slice(0, N)",
    origin: "`RoundUp` of Halide (PLDI 2013), as `roundUpAfter` of Shine",
    parameters: &[Kind::Size],
    regroups: false,
    apply: round_up,
};

fn round_up(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let multiple = size(arguments)?;
    let (function, input) = map_without_position(redex)?;
    build.need(Requirement::AtMost(Nat::one(), multiple.clone()), Purpose::Positive)?;
    let length = build.array_type(input)?.length.clone();
    let padded = zeros_behind(input.clone(), &rounded_up(&length, multiple), build)?;
    let mapped = build.map(MapKind::Unspecified, function.clone(), padded)?;
    Ok(first(&length, mapped, build)?)
}

/// The array, with zeros behind it until it has this length. Of a `zip`, the parts have them.
fn zeros_behind(array: Arc<Expr>, filled: &Nat, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    if let ExprKind::Zip(parts) = &array.kind {
        let parts = parts.iter().map(|part| zeros_behind(part.clone(), filled, build));
        let parts = parts.collect::<Result<_, _>>()?;
        return Ok(build.zip(parts)?);
    }
    let of = build.array_type(&array)?;
    let value = any_value(&of.element, &array, build)?;
    let right = build.simplified(&(filled - &of.length));
    Ok(build.pad_constant(Nat::zero(), right, value, array)?)
}

/// A map of an array that repeats its last element until it has this length, without what it makes of the
/// added ones: blocks have the same number of elements at the edges.
pub const FILL_UP: Rule = Rule {
    name: "fillUp",
    statement: "map(f, a) = a >> pad(0, n - N, clamp) >> map(f) >> slice(0, N), for 1 <= N <= n",
    origin: "`GuardWithIf` and `RoundUp` of Halide (PLDI 2013); without a value of its own: new",
    parameters: &[Kind::Size],
    regroups: false,
    apply: fill_up,
};

fn fill_up(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    filled_map(redex, |_| Ok(size(arguments)?.clone()), build)
}

/// The same, until the length is a multiple of a number.
pub const FILL_UP_TO_MULTIPLE: Rule = Rule {
    name: "fillUpToMultiple",
    statement: "map(f, a) = a >> pad(0, (N + n - 1) / n * n - N, clamp) >> map(f) >> slice(0, N), for 1 <= N",
    origin: "`RoundUp` of Halide (PLDI 2013); without a value of its own: new",
    parameters: &[Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| {
        let multiple = size(arguments)?;
        build.need(Requirement::AtMost(Nat::one(), multiple.clone()), Purpose::Positive)?;
        filled_map(redex, |length| Ok(rounded_up(length, multiple)), build)
    },
};

/// The map of an array that repeats its last element until it has a length that is computed from its own.
fn filled_map(
    redex: &Redex<'_>,
    filled: impl Fn(&Nat) -> Result<Nat, Mismatch>,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let (function, input) = map_without_position(redex)?;
    let length = build.array_type(input)?.length.clone();
    build.need(Requirement::AtMost(Nat::one(), length.clone()), Purpose::Positive)?;
    let longer = filled_up(input.clone(), &filled(&length)?, build)?;
    let mapped = build.map(MapKind::Unspecified, function.clone(), longer)?;
    Ok(first(&length, mapped, build)?)
}

/// The least multiple that is not less than a length.
pub(super) fn rounded_up(length: &Nat, multiple: &Nat) -> Nat {
    (length + multiple - Nat::one()).divide(multiple) * multiple
}

/// The array, with its last element repeated at the end until it has this length. Of a `zip` and of a `map`, the
/// inputs are filled up, because rules look for arrays that are filled up and have a name.
pub(super) fn filled_up(array: Arc<Expr>, filled: &Nat, build: &mut Build<'_>) -> Built {
    match &array.kind {
        ExprKind::Zip(parts) => {
            let parts =
                parts.iter().map(|part| filled_up(part.clone(), filled, build)).collect::<Result<_, _>>()?;
            return build.zip(parts);
        }
        ExprKind::Map(MapKind::Unspecified, function, input) if function.index.is_none() => {
            let input = filled_up(input.clone(), filled, build)?;
            return build.map(MapKind::Unspecified, function.clone(), input);
        }
        _ => {}
    }
    let right = missing(&array, filled, build)?;
    build.layout(Layout::Pad { left: Nat::zero(), right, boundary: Boundary::Clamp }, array)
}

/// How many elements an array lacks; it needs to have at most `filled`.
fn missing(array: &Expr, filled: &Nat, build: &mut Build<'_>) -> Result<Nat, result::Mismatch> {
    let length = build.array_type(array)?.length.clone();
    build.need(Requirement::AtMost(length.clone(), filled.clone()), Purpose::RoomSuffices)?;
    Ok(build.simplified(&(filled - length)))
}

/// The first elements of an array.
pub(super) fn first(length: &Nat, array: Arc<Expr>, build: &mut Build<'_>) -> Built {
    build.layout(Layout::Slice { start: Nat::zero(), length: length.clone() }, array)
}

/// A reduction takes an identity of its operator, or its initial value again, until it has taken so many
/// elements.
pub const FILL_UP_REDUCE: Rule = Rule {
    name: "fillUpReduce",
    statement: "reduce(op, z) = padConstant(0, n - N, e) >> reduce(op, z), where op(x, e) = x, or e = z where \
                op(x, x) = x, and N <= n",
    origin: "`RoundUp` of Halide (PLDI 2013), for reductions",
    parameters: &[Kind::Size],
    regroups: true,
    apply: fill_up_reduce,
};

fn fill_up_reduce(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let (reduction, operator) = reorderable(redex, Axioms::of_place(build))?;
    let Some(first) = &operator.start else {
        let wanted = "the operator is known to have an identity, or may take its initial value again";
        return Err(Mismatch::condition(wanted, redex.expr));
    };
    let right = missing(reduction.array, size(arguments)?, build)?;
    let nothing = start(first, reduction.initial, build)?;
    let longer = build.pad_constant(Nat::zero(), right, nothing, reduction.array.clone())?;
    Ok(build.reduce(reduction.kind, reduction.function.clone(), reduction.initial.clone(), longer)?)
}

/// A reduction of what a function makes of elements takes zeros until the number of elements is a multiple
/// of a number. The function makes an identity of the operator of them.
pub const ROUND_UP_REDUCE: Rule = Rule {
    name: "roundUpReduce",
    statement: "a >> map(f) >> reduce(op, z) = a >> padConstant(0, (N + n - 1) / n * n - N, 0) >> map(f) >> \
                reduce(op, z), where op(x, f(0)) = x, up to the sign of a zero",
    origin: "`RoundUp` of Halide (PLDI 2013), for reductions: new",
    parameters: &[Kind::Size],
    regroups: true,
    apply: round_up_reduce,
};

fn round_up_reduce(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let multiple = size(arguments)?;
    let (reduction, operator) = reorderable(redex, Axioms::of_place(build))?;
    let ExprKind::Map(MapKind::Unspecified, function, array) = &reduction.array.kind else {
        return Err(Mismatch::form("a reduction of a `map`", reduction.array, 1));
    };
    let takes_zero = matches!(&operator.identity, Some(Identity::Literal(literal)) if is_zero(literal));
    if !takes_zero || !makes_zero(function, build) {
        let wanted = "the function makes of zeros an identity of the operator";
        return Err(Mismatch::condition(wanted, redex.expr));
    }
    build.need(Requirement::AtMost(Nat::one(), multiple.clone()), Purpose::Positive)?;
    let length = build.array_type(array)?.length.clone();
    let rounded = build.simplified(&rounded_up(&length, multiple));
    if rounded == length {
        return Err(Mismatch::condition("a length that is no multiple yet", redex.expr));
    }
    let longer = zeros_behind(array.clone(), &rounded, build)?;
    let mapped = build.map(MapKind::Unspecified, function.clone(), longer)?;
    Ok(build.reduce(reduction.kind, reduction.function.clone(), reduction.initial.clone(), mapped)?)
}

/// What is known about a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// Zero, or `false`.
    Zero,
    /// Neither infinite nor NaN.
    Finite,
}

/// What is known where some variables are zero, or tuples of zeros.
struct AtZeros<'p> {
    functions: &'p [Function],
    known: BTreeMap<u32, Value>,
}

impl AtZeros<'_> {
    /// What an expression is; `None` where that is not known.
    fn value(&mut self, expr: &Expr) -> Option<Value> {
        use BinaryOperator::{Add, And, BitAnd, BitOr, Multiply, Or, Subtract};
        match &expr.kind {
            ExprKind::Literal(literal) if is_zero(literal) => Some(Value::Zero),
            ExprKind::Literal(literal) => is_finite_in_all_types(literal).then_some(Value::Finite),
            ExprKind::Variable(read) => self.known.get(&read.id).copied(),
            ExprKind::Component(tuple, _) => self.value(tuple),
            ExprKind::Broadcast(value) => self.value(value),
            // A large number may become infinite.
            ExprKind::Cast(_, value) => self.value(value).filter(|value| *value == Value::Zero),
            ExprKind::Let { bindings, body } => {
                for Binding { variable, value } in bindings {
                    let value = self.value(value)?;
                    self.known.insert(variable.id, value);
                }
                self.value(body)
            }
            ExprKind::Function(position, arguments) => {
                let function = self.functions.get(*position)?;
                // All arguments first: they may call the same function.
                let values = arguments.iter().map(|argument| self.value(argument));
                let values = values.collect::<Option<Vec<Value>>>()?;
                let parameters = function.parameters.iter().map(|(parameter, _)| parameter.id);
                self.known.extend(parameters.zip(values));
                self.value(&function.body)
            }
            ExprKind::Binary(operator, left, right) => {
                match (operator, self.value(left)?, self.value(right)?) {
                    (Multiply | And | BitAnd, Value::Zero, _)
                    | (Multiply | And | BitAnd, _, Value::Zero)
                    | (Add | Subtract | Or | BitOr, Value::Zero, Value::Zero) => Some(Value::Zero),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Whether a function is known to make zero of zeros.
fn makes_zero(function: &Lambda, build: &Build<'_>) -> bool {
    let [(element, _)] = function.parameters.as_slice() else { return false };
    let known = BTreeMap::from([(element.id, Value::Zero)]);
    let mut at_zeros = AtZeros { functions: build.functions(), known };
    function.index.is_none() && at_zeros.value(&function.body) == Some(Value::Zero)
}

/// Whether no floating-point type makes an infinity of a literal: `f16` has numbers up to 65504.
fn is_finite_in_all_types(literal: &Literal) -> bool {
    const LARGE: f64 = 60_000.0;
    match literal {
        Literal::Bool(_) => true,
        Literal::Integer(value) => value.unsigned_abs() <= LARGE as u128,
        Literal::Float(digits) => digits.parse().is_ok_and(|value: f64| value.abs() <= LARGE),
    }
}

fn is_zero(literal: &Literal) -> bool {
    match literal {
        Literal::Bool(value) => !value,
        Literal::Integer(value) => *value == 0,
        Literal::Float(digits) => digits.parse() == Ok(0.0),
    }
}

/// A reduction with an accumulator for each column has more of them, which take the last column.
pub const FILL_UP_LANES: Rule = Rule {
    name: "fillUpLanes",
    statement: "reduce(|accs, x| zip(accs, r(x)) >> map(f), repeat(M, z)) = reduce(|accs, x| zip(accs, r(x) >> \
                pad(0, n - M, clamp)) >> map(f), repeat(n, z)) >> slice(0, M), for 1 <= M <= n",
    origin: "fillUp, for accumulators that are computed side by side: new",
    parameters: &[Kind::Size],
    regroups: false,
    apply: fill_up_lanes,
};

fn fill_up_lanes(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let filled = size(arguments)?;
    let lanes = LaneReduction::read(redex)?;
    build.need(Requirement::AtMost(Nat::one(), lanes.count.clone()), Purpose::Positive)?;
    let accumulators = Type::array(lanes.initial.ty.clone(), filled.clone());
    let array = lanes.reduction.array;
    let names = lanes.names();
    let step =
        build.accumulation_at(names, &accumulators, array, |build, place, accumulators, element| {
            lanes.step(accumulators, element, place, &|part, build| filled_up(part, filled, build), build)
        })?;
    let initial = build.repeat(filled.clone(), lanes.initial.clone())?;
    let reduced = build.reduce(lanes.reduction.kind, step, initial, array.clone())?;
    Ok(first(&lanes.count, reduced, build)?)
}

/// The function and the input of a map that makes the same of an element wherever it stands.
fn map_without_position<'e>(redex: &Redex<'e>) -> Result<(&'e Lambda, &'e Arc<Expr>), Mismatch> {
    let ExprKind::Map(MapKind::Unspecified, function, input) = &redex.expr.kind else {
        return Err(redex.is_not("a `map`"));
    };
    if function.index.is_some() {
        // Beyond the array, sizes that are computed from the position may be out of their ranges.
        return Err(Mismatch::condition("the function does not use its position", redex.expr));
    }
    Ok((function, input))
}

/// A value of a type: its scalars are zero.
fn any_value(ty: &Type, at: &Expr, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    match ty {
        Type::Scalar(ScalarType::Bool) => Ok(build.literal(Literal::Bool(false), ty)?),
        Type::Scalar(_) | Type::Size => Ok(build.literal(Literal::Integer(0), ty)?),
        Type::Vector(lane, width) => {
            let scalar = any_value(&Type::Scalar(*lane), at, build)?;
            Ok(build.broadcast(scalar, *width)?)
        }
        Type::Tuple(parts) => {
            let parts = parts.iter().map(|part| any_value(part, at, build)).collect::<Result<_, _>>()?;
            Ok(build.tuple(parts)?)
        }
        Type::Array(array) if array.index.is_none() => {
            let element = any_value(&array.element, at, build)?;
            Ok(build.repeat(array.length.clone(), element)?)
        }
        Type::Array(_) => Err(Mismatch::condition("all rows have one type", at)),
    }
}
