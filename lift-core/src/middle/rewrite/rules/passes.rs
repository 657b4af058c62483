//! Passes over an array: in which order, once instead of twice, and of a length that is a multiple of
//! something.

use std::rc::Rc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use crate::ir::nat::Nat;
use crate::ir::scalar::{Literal, ScalarType};
use crate::ir::typed::build::{Build, uses};
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{
    Binding, Boundary, Expr, ExprKind, IndexFunction, Lambda, Layout, MapKind, Requirement,
};
use crate::ir::types::Type;

/// A map of an array from its end: where rows become longer, the longest come first.
pub const ROW_REVERSAL: Rule = Rule {
    name: "rowReversal",
    statement: "map(f) = reverse >> map(f) >> reverse",
    origin: "`reorderBothSides` of Lift (GPGPU 2016), for `reverse`",
    parameters: &[],
    regroups: false,
    apply: row_reversal,
};

fn row_reversal(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    let ExprKind::Map(MapKind::Unspecified, function, input) = &redex.expr.kind else {
        return Err(redex.is_not("a `map`"));
    };
    let length = build.array_type(input)?.length.clone();
    let backwards = match &function.index {
        None => function.clone(),
        Some(forwards) => {
            let index = build.index(forwards.name());
            let position = &length - Nat::one() - Nat::variable(&index);
            Lambda { index: Some(index), ..function.substitute(&[(forwards.clone(), position)].into()) }
        }
    };
    let reversed = reverse(&length, input.clone(), build)?;
    let mapped = build.map(MapKind::Unspecified, backwards, reversed)?;
    reverse(&length, mapped, build)
}

fn reverse(length: &Nat, array: Rc<Expr>, build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    let index = build.index("i");
    Ok(build.layout(Layout::Gather(IndexFunction::reverse(index, length)), array)?)
}

/// A reduction of rows, together with what a map made of each of them, computes that as it goes: the rows are
/// read once.
pub const ONE_PASS: Rule = Rule {
    name: "onePass",
    statement: "{ let y = map(g, a); reduce(h, z, zip(a, y)) } = \
                reduce(|acc, row| { let v = g(row); h(acc, (row, v)) }, z, a)",
    origin: "new: element i of y is g of row i, and is used when row i is reduced",
    parameters: &[],
    regroups: false,
    apply: one_pass,
};

fn one_pass(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    let ExprKind::Let { bindings, body } = &redex.expr.kind else {
        return zipped_with_map(redex.expr, None, build);
    };
    let mut mismatch = Mismatch::condition("a `let` binds a `map` that is used once", redex.expr);
    for (position, binding) in bindings.iter().enumerate() {
        let is_used_later =
            bindings.iter().skip(position + 1).any(|later| uses(&later.value, &binding.variable) > 0);
        let is_map = matches!(binding.value.kind, ExprKind::Map(MapKind::Unspecified, ..));
        if !is_map || is_used_later || uses(body, &binding.variable) != 1 {
            continue;
        }
        match zipped_with_map(body, Some(binding), build) {
            Ok(reduced) => {
                let others = bindings.iter().filter(|other| other.variable.id != binding.variable.id);
                return Ok(build.expr(ExprKind::bound(others.cloned().collect(), reduced))?);
            }
            // It is a map of something else; another one may be the one that is looked for.
            Err(form @ Mismatch::Form { .. }) => mismatch = form,
            Err(other) => return Err(other),
        }
    }
    Err(mismatch)
}

/// The reduction of a `zip` with a map of one of the other arrays, in one pass. The map is the value of a
/// binding, or a part of the `zip`.
fn zipped_with_map(
    reduction: &Rc<Expr>,
    binding: Option<&Binding>,
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    let ExprKind::Reduce(kind, reduced, initial, input) = &reduction.kind else {
        return Err(Mismatch::form("a reduction", reduction, 0));
    };
    let ExprKind::Zip(parts) = &input.kind else {
        return Err(Mismatch::form("a reduction of a `zip`", input, 1));
    };
    let made = |part: &Rc<Expr>| match (&part.kind, binding) {
        (ExprKind::Variable(read), Some(binding)) if read.id == binding.variable.id => binding.value.clone(),
        _ => part.clone(),
    };
    let maps = parts.iter().map(made).enumerate();
    let found = maps.into_iter().find_map(|(position, part)| match &part.kind {
        ExprKind::Map(MapKind::Unspecified, function, rows) => {
            let of = parts.iter().position(|other| is_same_name(other, rows))?;
            (of != position).then(|| (position, of, function.clone()))
        }
        _ => None,
    });
    let Some((made_at, rows_at, function)) = found else {
        return Err(Mismatch::form("a `zip` of an array with a `map` of it", input, 1));
    };
    let mut others: Vec<Rc<Expr>> = parts.clone();
    others.remove(made_at);
    let (array, is_zip) = match others.as_slice() {
        [array] => (array.clone(), false),
        _ => (build.zip(others)?, true),
    };
    let accumulator = &initial.ty;
    let combined =
        build.accumulation_at(["acc", "row"], accumulator, &array, |build, position, acc, element| {
            let other = |other: usize, build: &mut Build<'_>| match is_zip {
                true => build.component(&element, if other < made_at { other } else { other - 1 }),
                false => Ok(element.clone()),
            };
            let at = |function: &Lambda| function.index.as_ref().map(|_| position);
            let row = other(rows_at, build)?;
            let value = build.apply(&function, at(&function), vec![row])?;
            build.shared("v", value, |build, value| {
                let mut elements = Vec::new();
                for part in 0..parts.len() {
                    elements.push(if part == made_at { value.clone() } else { other(part, build)? });
                }
                let [_, (tuple, _)] = reduced.parameters.as_slice() else {
                    return Err(Mismatch::form("a function of two parameters", &reduced.body, 1));
                };
                let body = reduced.body.replace_components(tuple, &elements);
                let tuple = build.tuple(elements)?;
                let of_parts = Lambda { body, ..reduced.clone() };
                Ok(build.apply(&of_parts, at(reduced), vec![acc, tuple])?)
            })
        })?;
    Ok(build.reduce(*kind, combined, initial.clone(), array)?)
}

/// Whether two expressions name the same value.
fn is_same_name(left: &Expr, right: &Expr) -> bool {
    match (&left.kind, &right.kind) {
        (ExprKind::Variable(left), ExprKind::Variable(right)) => left.id == right.id,
        (ExprKind::Component(left, i), ExprKind::Component(right, k)) => i == k && is_same_name(left, right),
        _ => false,
    }
}

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
    build.need(Requirement::AtMost(length.clone(), filled.clone()), Purpose::RoomSuffices)?;
    let right = build.simplified(&(filled - &length));
    let layout = Layout::Pad { left: Nat::zero(), right, boundary: Boundary::Clamp };
    let longer = build.layout(layout, input.clone())?;
    let mapped = build.map(MapKind::Unspecified, function.clone(), longer)?;
    Ok(build.layout(Layout::Slice { start: Nat::zero(), length }, mapped)?)
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
