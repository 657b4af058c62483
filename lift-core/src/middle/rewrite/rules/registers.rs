//! Arrays that the work-items of a group keep in registers, each its own elements.
//!
//! The number of registers of a work-item is a constant. So arrays are filled up to a constant length, or
//! dealt out on the condition that they fit. A work-item cannot read the registers of another: what is kept
//! has to be taken by the same work-items, which code generation checks.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{is_name, is_same_name, replace_all};
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::lengths::{filled_up, first};
use super::lowering::may_stand;
use super::memories::copied;
use super::parts::size;
use crate::flat::FlatSet;
use crate::ir::nat::Nat;
use crate::ir::typed::binders::free_variables;
use crate::ir::typed::build::Build;
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{
    AddressSpace, Binding, Boundary, Expr, ExprKind, Layout, MapKind, Requirement, Variable,
};
use crate::ir::types::Type;

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
) -> Result<Arc<Expr>, Mismatch> {
    let Some((filled, array)) = filled_name(redex.expr) else {
        return Err(redex.is_not("an expression with a named array that is filled up"));
    };
    let length = build.array_type(array)?.length.clone();
    kept_by_items(redex, filled.clone(), size(arguments)?, build, |build, all| {
        let own = first(&length, all.clone(), build)?;
        let is_filled = |expr: &Arc<Expr>| filled_from(expr).is_some_and(|from| is_same_name(from, array));
        let is_array = |expr: &Arc<Expr>| is_same_name(expr, array);
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
) -> Result<Arc<Expr>, Mismatch> {
    let free = free_variables(redex.expr);
    let Some(array) = zipped_name(redex.expr, &free) else {
        return Err(redex.is_not("an expression that zips a named array of scalars or vectors with others"));
    };
    let [Argument::Size(items), Argument::Size(filled)] = arguments else { return Err(Mismatch::Arguments) };
    let length = build.array_type(array)?.length.clone();
    build.need(Requirement::AtMost(Nat::one(), length.clone()), Purpose::Positive)?;
    let longer = filled_up(Arc::clone(array), filled, build)?;
    kept_by_items(redex, longer, items, build, |build, all| {
        let own = first(&length, all.clone(), build)?;
        let is_filled = |expr: &Arc<Expr>| {
            let same_length = expr.ty.as_array().is_some_and(|array| array.length == *filled);
            same_length && filled_from(expr).is_some_and(|from| is_same_name(from, array))
        };
        let whole = replace_all(redex.expr, &is_filled, &all);
        Ok(replace_all(&whole, &|expr| is_same_name(expr, array), &own))
    })
}

/// A row that a group takes several times: each work-item keeps every `items`-th element of it in registers,
/// and takes no others.
pub const KEEP_ROW: Rule = Rule {
    name: "keepRow",
    statement: "f(a) = { let kept = a >> deinterleave(items) >> mapLcl0(toPrivate(mapSeq(id))); \
                f(kept >> interleave) }, for a named array a that is taken several times, each element by the same \
                work-item, if a has at most n scalars",
    origin: "XLA's fused softmax (rows in registers); for rows of any length that fits: new",
    parameters: &[Kind::Size, Kind::Size],
    regroups: false,
    apply: keep_row,
};

fn keep_row(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let free = free_variables(redex.expr);
    let Some(row) = repeated_name(redex.expr, &free) else {
        return Err(
            redex.is_not("an expression that mentions a named array of scalars or vectors several times")
        );
    };
    keep_own(redex, &Kept { name: row, array: row, whole: redex.expr }, arguments, build)
}

/// The same for an array that a `let` binds: each element is computed once, by the work-item that takes it.
pub const KEEP_BOUND: Rule = Rule {
    name: "keepBound",
    statement: "{ let a = map(f, b); g(a) } = { let kept = b >> map(f) >> deinterleave(items) >> \
                mapLcl0(toPrivate(mapSeq(id))); g(kept >> interleave) }, where g takes each element of a by the \
                same work-item, if a has at most n scalars",
    origin: "XLA's fused softmax (rows in registers); for rows of any length that fits: new",
    parameters: &[Kind::Size, Kind::Size],
    regroups: false,
    apply: keep_bound,
};

fn keep_bound(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Let { bindings, body } = &redex.expr.kind else { return Err(redex.is_not("a `let`")) };
    let mut mismatch = redex.is_not("a `let` of a `map` whose elements are scalars or vectors");
    for (position, Binding { variable, value }) in bindings.iter().enumerate() {
        if !has_registers(value) || !matches!(value.kind, ExprKind::Map(MapKind::Unspecified, ..)) {
            continue;
        }
        let whole = build.bind_all(bindings[position + 1..].to_vec(), body.clone())?;
        let name = build.read(variable, &value.ty);
        match keep_own(redex, &Kept { name: &name, array: value, whole: &whole }, arguments, build) {
            Ok(kept) => return Ok(build.bind_all(bindings[..position].to_vec(), kept)?),
            Err(reason) => mismatch = reason,
        }
    }
    Err(mismatch)
}

/// An array that registers keep.
struct Kept<'e> {
    /// Its name.
    name: &'e Arc<Expr>,
    /// What it is.
    array: &'e Arc<Expr>,
    /// What takes it.
    whole: &'e Arc<Expr>,
}

/// The expression that takes an array, where each work-item keeps the elements that it takes. There is room
/// for a number of scalars, those of vectors among them.
fn keep_own(
    redex: &Redex<'_>,
    Kept { name, array, whole }: &Kept<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let [Argument::Size(items), Argument::Size(room)] = arguments else { return Err(Mismatch::Arguments) };
    if !takes_own(whole, name, items) {
        let wanted = "each work-item takes elements of its own alone, and the same ones every time";
        return Err(Mismatch::condition(wanted, redex.expr));
    }
    let of = build.array_type(array)?;
    let lanes = match of.element {
        Type::Vector(_, width) => i128::from(width),
        _ => 1,
    };
    let scalars = build.simplified(&(&of.length * Nat::constant(lanes)));
    build.need(Requirement::AtMost(scalars, room.clone()), Purpose::RoomSuffices)?;
    let own = build.layout(Layout::Deinterleave { rows: items.clone() }, Arc::clone(array))?;
    let kept = kept_by_worker(redex, own, build)?;
    build.shared("kept", kept, |build, kept| {
        let all = build.layout(Layout::Interleave, kept)?;
        Ok(replace_all(whole, &|expr| is_same_name(expr, name), &all))
    })
}

/// The first array of scalars or vectors among these variables that an expression mentions more than once.
fn repeated_name<'e>(expr: &'e Arc<Expr>, free: &FlatSet<Variable>) -> Option<&'e Arc<Expr>> {
    let mut names = Vec::new();
    names_of_arrays(expr, free, &mut names);
    let is_repeated = |name: &&&Arc<Expr>| names.iter().filter(|other| is_same_name(other, name)).count() > 1;
    names.iter().find(is_repeated).copied()
}

fn names_of_arrays<'e>(expr: &'e Arc<Expr>, free: &FlatSet<Variable>, names: &mut Vec<&'e Arc<Expr>>) {
    if is_free_array(expr, free) {
        names.push(expr);
    }
    expr.children().for_each(|child| names_of_arrays(child, free, names));
}

/// Whether an expression is an array of scalars or vectors, and one of these variables or a part of one.
fn is_free_array(expr: &Expr, free: &FlatSet<Variable>) -> bool {
    is_free(expr, free) && has_registers(expr)
}

/// Whether an expression is an array of scalars or of vectors, which registers hold.
fn has_registers(array: &Expr) -> bool {
    array.ty.as_array().is_some_and(|of| matches!(of.element, Type::Scalar(_) | Type::Vector(..)))
}

fn is_free(name: &Expr, free: &FlatSet<Variable>) -> bool {
    match &name.kind {
        ExprKind::Variable(variable) => free.contains(variable),
        ExprKind::Component(tuple, _) => is_free(tuple, free),
        _ => false,
    }
}

/// Whether work-item `l` of `items` takes of an array with this name the elements `l`, `l + items` and so on,
/// wherever an expression mentions it.
fn takes_own(expr: &Expr, name: &Expr, items: &Nat) -> bool {
    match &expr.kind {
        _ if is_same_name(expr, name) => false,
        ExprKind::Map(MapKind::Local(0), function, dealt)
            if own_elements(dealt, items).is_some_and(|elements| keeps_positions(elements, name)) =>
        {
            !mentions(&function.body, name)
        }
        _ => expr.children().all(|child| takes_own(child, name, items)),
    }
}

/// The array that is dealt among work-items, one element to each of them in turn.
fn own_elements<'e>(dealt: &'e Expr, items: &Nat) -> Option<&'e Arc<Expr>> {
    match &dealt.kind {
        ExprKind::Layout(Layout::Deinterleave { rows }, elements) if rows == items => Some(elements),
        _ => None,
    }
}

/// Whether element `i` of an expression needs no element but `i` of the array with this name.
fn keeps_positions(expr: &Expr, name: &Expr) -> bool {
    match &expr.kind {
        _ if !mentions(expr, name) => true,
        _ if is_name(expr) => true,
        ExprKind::Zip(parts) => parts.iter().all(|part| keeps_positions(part, name)),
        ExprKind::Map(MapKind::Unspecified, function, input) => {
            !mentions(&function.body, name) && keeps_positions(input, name)
        }
        _ => false,
    }
}

fn mentions(expr: &Expr, name: &Expr) -> bool {
    is_same_name(expr, name) || expr.children().any(|child| mentions(child, name))
}

/// The first array of scalars or vectors among these variables that is zipped with others.
fn zipped_name<'e>(expr: &'e Arc<Expr>, free: &FlatSet<Variable>) -> Option<&'e Arc<Expr>> {
    let here = match &expr.kind {
        ExprKind::Zip(parts) => parts.iter().find(|part| is_free_array(part, free)),
        _ => None,
    };
    here.or_else(|| expr.children().find_map(|child| zipped_name(child, free)))
}

/// An expression of an array that the work-items of a group keep in registers, each every `items`-th element.
fn kept_by_items(
    redex: &Redex<'_>,
    array: Arc<Expr>,
    items: &Nat,
    build: &mut Build<'_>,
    body: impl FnOnce(&mut Build<'_>, Arc<Expr>) -> Result<Arc<Expr>, Mismatch>,
) -> Result<Arc<Expr>, Mismatch> {
    let of = build.array_type(&array)?;
    if !(has_registers(&array) && of.length.as_constant().is_some()) {
        return Err(Mismatch::condition("registers hold scalars or vectors of a constant number", &array));
    }
    let rows = build.split(items, array)?;
    let columns = build.transpose(rows)?;
    let kept = kept_by_worker(redex, columns, build)?;
    build.shared("kept", kept, |build, kept| {
        let rows = build.transpose(kept)?;
        let all = build.join(rows)?;
        body(build, all)
    })
}

/// Arrays that work-items of a group keep in registers, each its own one.
fn kept_by_worker(
    redex: &Redex<'_>,
    arrays: Arc<Expr>,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let around: Vec<MapKind> = redex.around.workers().collect();
    may_stand(MapKind::Local(0), &around, redex.expr)?;
    build.map_with(MapKind::Local(0), arrays, "own", |build, own| {
        let own = copied(own, MapKind::Sequential, MapKind::Sequential, build)?;
        Ok(build.store(AddressSpace::Private, own)?)
    })
}

/// The first array with a name that is filled up, and its name.
fn filled_name(expr: &Arc<Expr>) -> Option<(&Arc<Expr>, &Arc<Expr>)> {
    match filled_from(expr) {
        Some(array) if is_name(array) => Some((expr, array)),
        _ => expr.children().find_map(filled_name),
    }
}

/// The array that an expression fills up.
fn filled_from(expr: &Expr) -> Option<&Arc<Expr>> {
    match &expr.kind {
        ExprKind::Layout(Layout::Pad { left, boundary: Boundary::Clamp, .. }, array)
            if *left == Nat::zero() =>
        {
            Some(array)
        }
        _ => None,
    }
}
