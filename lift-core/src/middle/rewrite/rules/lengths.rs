//! Arrays of other lengths: longer ones, so that tiles need no remainder and registers have constant numbers.
//!
//! What is added to an array must not change a result. What a map makes of it is cut off again, a reduction
//! gets what its operator may take without effect, and accumulators that belong to no column are left out in
//! the end.

use std::rc::Rc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::lanes::LaneReduction;
use super::parts::{reorderable, size, start};
use crate::ir::nat::Nat;
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::typed::build::{Build, Built};
use crate::ir::typed::result::{self, Purpose};
use crate::ir::typed::{Boundary, Expr, ExprKind, Lambda, Layout, MapKind, Requirement};
use crate::ir::types::Type;
use crate::middle::laws::Axioms;

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

fn round_up(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    let [Argument::Size(multiple)] = arguments else { return Err(Mismatch::Arguments) };
    let (function, input) = map_without_position(redex)?;
    build.need(Requirement::AtMost(Nat::one(), multiple.clone()), Purpose::Positive)?;
    let of = build.array_type(input)?;
    let rounded = (&of.length + multiple - Nat::one()).divide(multiple) * multiple;
    let value = any_value(&of.element, input, build)?;
    let padded = build.expr(ExprKind::PadConstant {
        left: Nat::zero(),
        right: build.simplified(&(rounded - &of.length)),
        value,
        input: input.clone(),
    })?;
    let mapped = build.map(MapKind::Unspecified, function.clone(), padded)?;
    Ok(build.layout(Layout::Slice { start: Nat::zero(), length: of.length.clone() }, mapped)?)
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

fn fill_up(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    let [Argument::Size(filled)] = arguments else { return Err(Mismatch::Arguments) };
    let (function, input) = map_without_position(redex)?;
    let length = build.array_type(input)?.length.clone();
    build.need(Requirement::AtMost(Nat::one(), length.clone()), Purpose::Positive)?;
    let longer = filled_up(input.clone(), filled, build)?;
    let mapped = build.map(MapKind::Unspecified, function.clone(), longer)?;
    Ok(first(&length, mapped, build)?)
}

/// The array, with its last element repeated at the end until it has this length. Of a `zip` and of a `map`, the
/// inputs are filled up, because rules look for arrays that are filled up and have a name.
pub(super) fn filled_up(array: Rc<Expr>, filled: &Nat, build: &mut Build<'_>) -> Built {
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
pub(super) fn first(length: &Nat, array: Rc<Expr>, build: &mut Build<'_>) -> Built {
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
) -> Result<Rc<Expr>, Mismatch> {
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
) -> Result<Rc<Expr>, Mismatch> {
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
fn map_without_position<'e>(redex: &Redex<'e>) -> Result<(&'e Lambda, &'e Rc<Expr>), Mismatch> {
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
fn any_value(ty: &Type, at: &Expr, build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
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
