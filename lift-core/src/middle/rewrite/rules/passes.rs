//! Passes over an array: in which order, and once instead of twice.

use std::cmp::Ordering;
use std::slice;
use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{is_same_name, is_variable, replace_all};
use super::super::rule::{Argument, Redex, Rule};
use crate::ir::nat::Nat;
use crate::ir::typed::build::{Build, uses};
use crate::ir::typed::{Binding, Expr, ExprKind, IndexFunction, Lambda, Layout, MapKind, Variable};

/// A map of an array from its end: where rows become longer, the longest come first.
pub const ROW_REVERSAL: Rule = Rule {
    name: "rowReversal",
    statement: "map(f) = reverse >> map(f) >> reverse",
    origin: "`reorderBothSides` of Lift (GPGPU 2016), for `reverse`",
    parameters: &[],
    regroups: false,
    apply: row_reversal,
};

fn row_reversal(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
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

fn reverse(length: &Nat, array: Arc<Expr>, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let index = build.index("i");
    Ok(build.layout(Layout::Gather(IndexFunction::reverse(index, length)), array)?)
}

/// A reduction of rows, together with what a map made of each of them, computes that as it goes: the rows are
/// read once.
pub const ONE_PASS: Rule = Rule {
    name: "onePass",
    statement: "{ let y = map(g, a); reduce(h, z, zip(a, y)) } = \
                reduce(|acc, row| { let v = g(row); h(acc, (row, v)) }, z, a); the same for a `map` of a `zip` of \
                a and others",
    origin: "new: element i of y is g of row i, and is used when row i is reduced",
    parameters: &[],
    regroups: false,
    apply: one_pass,
};

fn one_pass(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
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
        let reduction = reduction_of(&binding.variable, body).unwrap_or(body);
        match zipped_with_map(reduction, Some(binding), build) {
            Ok(reduced) => {
                let reduced = replace_all(body, &|expr| Arc::ptr_eq(expr, reduction), &reduced);
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

/// The reduction of a `zip` with a variable that an expression computes once, outside of functions.
fn reduction_of<'e>(variable: &Variable, expr: &'e Arc<Expr>) -> Option<&'e Arc<Expr>> {
    let is_variable = |part: &Arc<Expr>| is_variable(part, variable);
    if let ExprKind::Reduce(_, _, _, input) = &expr.kind
        && zipped_arrays(input).iter().any(is_variable)
    {
        return Some(expr);
    }
    let outside = expr.children().enumerate().filter(|(position, _)| !expr.is_function_body(*position));
    outside.into_iter().find_map(|(_, child)| reduction_of(variable, child))
}

/// The reduction of a `zip` with a map of one of the other arrays, in one pass. The map is the value of a
/// binding, or a part of the `zip`.
fn zipped_with_map(
    reduction: &Arc<Expr>,
    binding: Option<&Binding>,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Reduce(kind, reduced, initial, input) = &reduction.kind else {
        return Err(Mismatch::form("a reduction", reduction, 0));
    };
    let ExprKind::Zip(parts) = &input.kind else {
        return Err(Mismatch::form("a reduction of a `zip`", input, 1));
    };
    let made = |part: &Arc<Expr>| match (&part.kind, binding) {
        (ExprKind::Variable(_), Some(binding)) if is_variable(part, &binding.variable) => {
            binding.value.clone()
        }
        _ => part.clone(),
    };
    let maps = parts.iter().map(made).enumerate();
    let found = maps.into_iter().find_map(|(position, part)| match &part.kind {
        ExprKind::Map(MapKind::Unspecified, function, mapped) => {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != position);
            let others: Vec<Arc<Expr>> = others.map(|(_, other)| other.clone()).collect();
            let is_zipped = |array: &Arc<Expr>| others.iter().any(|other| is_same_name(other, array));
            let is_found = zipped_arrays(mapped).iter().any(is_zipped);
            is_found.then(|| (position, function.clone(), mapped.clone(), others))
        }
        _ => None,
    });
    let Some((made_at, function, mapped, mut arrays)) = found else {
        return Err(Mismatch::form("a `zip` of an array with a `map` of it", input, 1));
    };
    // The other arrays of the `zip`, and those that only the map has.
    let mut places = Vec::new();
    for array in zipped_arrays(&mapped) {
        places.push(arrays.iter().position(|other| is_same_name(other, array)).unwrap_or_else(|| {
            arrays.push(array.clone());
            arrays.len() - 1
        }));
    }
    let is_zip = arrays.len() > 1;
    let array = match arrays.pop() {
        Some(array) if !is_zip => array,
        last => build.zip(arrays.into_iter().chain(last).collect())?,
    };
    let accumulator = &initial.ty;
    let combined =
        build.accumulation_at(["acc", "row"], accumulator, &array, |build, position, acc, element| {
            let other = |other: usize, build: &mut Build<'_>| match is_zip {
                true => build.component(&element, other),
                false => Ok(element.clone()),
            };
            let at = |function: &Lambda| function.index.as_ref().map(|_| position);
            let mut of_map = Vec::new();
            for place in &places {
                of_map.push(other(*place, build)?);
            }
            let value = match mapped.kind {
                ExprKind::Zip(_) => applied_to_tuple(&function, at(&function), Vec::new(), of_map, build)?,
                _ => build.apply(&function, at(&function), of_map)?,
            };
            build.shared("v", value, |build, value| {
                let mut elements = Vec::new();
                for part in 0..parts.len() {
                    elements.push(match part.cmp(&made_at) {
                        Ordering::Less => other(part, build)?,
                        Ordering::Equal => value.clone(),
                        Ordering::Greater => other(part - 1, build)?,
                    });
                }
                applied_to_tuple(reduced, at(reduced), vec![acc], elements, build)
            })
        })?;
    Ok(build.reduce(*kind, combined, initial.clone(), array)?)
}

/// The arrays that are zipped, or the one array.
fn zipped_arrays(array: &Arc<Expr>) -> &[Arc<Expr>] {
    match &array.kind {
        ExprKind::Zip(arrays) => arrays,
        _ => slice::from_ref(array),
    }
}

/// A function whose last argument is a tuple of these parts.
fn applied_to_tuple(
    function: &Lambda,
    position: Option<&Nat>,
    mut arguments: Vec<Arc<Expr>>,
    parts: Vec<Arc<Expr>>,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let Some((tuple, _)) = function.parameters.last() else {
        return Err(Mismatch::form("a function of a tuple", &function.body, 1));
    };
    let body = function.body.replace_components(tuple, &parts);
    arguments.push(build.tuple(parts)?);
    Ok(build.apply(&Lambda { body, ..function.clone() }, position, arguments)?)
}
