//! Arrays of other lengths: longer ones, so that tiles need no remainder and registers have constant numbers.
//!
//! What is added to an array must not change a result. What a map makes of it is cut off again, a reduction
//! gets what its operator may take without effect, and accumulators that belong to no column are left out in
//! the end.

use std::rc::Rc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{is_name, is_same_name, replace_all};
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::lanes::LaneReduction;
use super::lowering::may_stand;
use super::memories::copied;
use super::parts::{reorderable, size, start};
use crate::flat::FlatSet;
use crate::ir::nat::Nat;
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::typed::binders::free_variables;
use crate::ir::typed::build::{Build, Built};
use crate::ir::typed::result::{self, Purpose};
use crate::ir::typed::{
    AddressSpace, Boundary, Expr, ExprKind, Lambda, Layout, MapKind, Requirement, Variable,
};
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
    let longer = filled_up(input.clone(), filled, build)?;
    let mapped = build.map(MapKind::Unspecified, function.clone(), longer)?;
    Ok(first(&length, mapped, build)?)
}

/// The array and its last element, until there are so many elements.
fn filled_up(array: Rc<Expr>, filled: &Nat, build: &mut Build<'_>) -> Built {
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
fn first(length: &Nat, array: Rc<Expr>, build: &mut Build<'_>) -> Built {
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

/// An array that is used filled up, and perhaps as it is: each work-item of a group keeps every `items`-th
/// element of the filled one in registers.
pub const COPY_FILLED: Rule = Rule {
    name: "copyFilled",
    statement: "f(a, a >> pad(0, n - N, clamp)) = { let kept = a >> pad(0, n - N, clamp) >> split(items) >> \
                transpose >> mapLcl0(toPrivate(mapSeq(id))); f(kept >> transpose >> join >> slice(0, N), \
                kept >> transpose >> join) }",
    origin: "Hagedorn's thesis, section 6.3 (register blocking), for rows that a group shares: new",
    parameters: &[Kind::Size],
    regroups: false,
    apply: copy_filled,
};

fn copy_filled(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    let Some((filled, array)) = filled_name(redex.expr) else {
        return Err(redex.is_not("an expression with a named array that is filled up"));
    };
    let length = build.array_type(array)?.length.clone();
    kept_by_items(redex, filled.clone(), size(arguments)?, build, |build, all| {
        let own = first(&length, all.clone(), build)?;
        let is_filled = |expr: &Rc<Expr>| filled_from(expr).is_some_and(|from| is_same_name(from, array));
        let is_array = |expr: &Rc<Expr>| is_same_name(expr, array);
        let body = replace_all(redex.expr, &is_filled, &all);
        Ok(replace_all(&body, &is_array, &own))
    })
}

/// An array from outside that is zipped with others: each work-item of a group keeps every `items`-th element
/// of it in registers, where it is filled up.
pub const KEEP_ZIPPED: Rule = Rule {
    name: "keepZipped",
    statement: "f(a) = { let kept = a >> pad(0, n - N, clamp) >> split(items) >> transpose >> \
                mapLcl0(toPrivate(mapSeq(id))); f(kept >> transpose >> join >> slice(0, N)) }, for a named array \
                a that f zips with others, 1 <= N <= n",
    origin: "Hagedorn's thesis, section 6.3 (register blocking), for rows that a group shares: new",
    parameters: &[Kind::Size, Kind::Size],
    regroups: false,
    apply: keep_zipped,
};

fn keep_zipped(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    let [Argument::Size(items), Argument::Size(filled)] = arguments else { return Err(Mismatch::Arguments) };
    let Some(array) = zipped_name(redex.expr, &free_variables(redex.expr)) else {
        return Err(redex.is_not("an expression that zips a named array of scalars with others"));
    };
    let length = build.array_type(array)?.length.clone();
    build.need(Requirement::AtMost(Nat::one(), length.clone()), Purpose::Positive)?;
    let longer = filled_up(array.clone(), filled, build)?;
    kept_by_items(redex, longer, items, build, |build, all| {
        let own = first(&length, all, build)?;
        Ok(replace_all(redex.expr, &|expr| is_same_name(expr, array), &own))
    })
}

/// The first array of scalars among these variables that is zipped with others.
fn zipped_name<'e>(expr: &'e Rc<Expr>, free: &FlatSet<Variable>) -> Option<&'e Rc<Expr>> {
    let is_wanted = |part: &&Rc<Expr>| {
        let is_free = matches!(&part.kind, ExprKind::Variable(variable) if free.contains(variable));
        is_free && part.ty.as_array().is_some_and(|array| matches!(array.element, Type::Scalar(_)))
    };
    let here = match &expr.kind {
        ExprKind::Zip(parts) => parts.iter().find(is_wanted),
        _ => None,
    };
    here.or_else(|| expr.children().find_map(|child| zipped_name(child, free)))
}

/// An expression of an array that the work-items of a group keep in registers, each every `items`-th element.
fn kept_by_items(
    redex: &Redex<'_>,
    array: Rc<Expr>,
    items: &Nat,
    build: &mut Build<'_>,
    body: impl FnOnce(&mut Build<'_>, Rc<Expr>) -> Result<Rc<Expr>, Mismatch>,
) -> Result<Rc<Expr>, Mismatch> {
    let of = build.array_type(&array)?;
    if !(matches!(of.element, Type::Scalar(_)) && of.length.as_constant().is_some()) {
        return Err(Mismatch::condition("registers hold scalars of a constant number", &array));
    }
    let around: Vec<MapKind> = redex.around.workers().collect();
    may_stand(MapKind::Local(0), &around, redex.expr)?;
    let rows = build.split(items, array)?;
    let columns = build.transpose(rows)?;
    let kept = build.map_with(MapKind::Local(0), columns, "own", |build, own| {
        let own = copied(own, MapKind::Sequential, MapKind::Sequential, build)?;
        Ok::<_, Mismatch>(build.store(AddressSpace::Private, own)?)
    })?;
    build.shared("kept", kept, |build, kept| {
        let rows = build.transpose(kept)?;
        let all = build.join(rows)?;
        body(build, all)
    })
}

/// The first array with a name that is filled up, and its name.
fn filled_name(expr: &Rc<Expr>) -> Option<(&Rc<Expr>, &Rc<Expr>)> {
    match filled_from(expr) {
        Some(array) if is_name(array) => Some((expr, array)),
        _ => expr.children().find_map(filled_name),
    }
}

/// The array that an expression fills up.
fn filled_from(expr: &Expr) -> Option<&Rc<Expr>> {
    match &expr.kind {
        ExprKind::Layout(Layout::Pad { left, boundary: Boundary::Clamp, .. }, array)
            if *left == Nat::zero() =>
        {
            Some(array)
        }
        _ => None,
    }
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
