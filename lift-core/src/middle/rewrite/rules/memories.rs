//! Memories: where values are stored, and copies that change it (ICFP 2015, section 5.3; Hagedorn's thesis,
//! sections 3.3 and 6.3).
//!
//! A copy is a map of the identity function that is stored. It computes nothing, so that it may replace any
//! array; what it is good for is a strategy's business. Local memory belongs to a group and private memory to
//! a work-item, so that a value is stored there only where maps around say so.

use std::rc::Rc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Apply, Argument, Kind, Redex, Rule};
use super::lowering::may_stand;
use super::parts::{place, unbound};
use crate::ir::typed::build::Build;
use crate::ir::typed::{AddressSpace, Binding, Expr, ExprKind, Layout, MapKind, Path};
use crate::ir::types::Type;

const fn stores(name: &'static str, statement: &'static str, apply: Apply) -> Rule {
    Rule { name, statement, origin: "ICFP 2015, section 5.3", parameters: &[], regroups: false, apply }
}

/// A result is stored in global memory.
pub const TO_GLOBAL: Rule = stores("toGlobal", "map(f) = toGlobal(map(f))", |redex, _, build| {
    stored(redex, AddressSpace::Global, build)
});

/// A result is stored in the memory of the group.
pub const TO_LOCAL: Rule = stores("toLocal", "map(f) = toLocal(map(f))", |redex, _, build| {
    stored(redex, AddressSpace::Local, build)
});

/// A result is stored in the registers of the work-item.
pub const TO_PRIVATE: Rule = stores("toPrivate", "map(f) = toPrivate(map(f))", |redex, _, build| {
    stored(redex, AddressSpace::Private, build)
});

fn stored(redex: &Redex<'_>, space: AddressSpace, build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    let (ExprKind::Map(..) | ExprKind::Reduce(..) | ExprKind::Scan(..)) = &redex.expr.kind else {
        return Err(redex.is_not("a map, a reduction or a scan"));
    };
    if is_stored(redex) {
        return Err(Mismatch::condition("it is not stored yet", redex.expr));
    }
    may_be_stored(redex, space)?;
    Ok(build.store(space, redex.expr.clone())?)
}

/// An array that is stored somewhere is stored in global memory.
pub const STORE_TO_GLOBAL: Rule = Rule {
    name: "storeToGlobal",
    statement: "a >> store = toGlobal(a)",
    origin: "CGO 2017, section 3.2: `store` leaves the memory to the compiler",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| match &redex.expr.kind {
        ExprKind::Store(None, value) => Ok(build.store(AddressSpace::Global, value.clone())?),
        _ => Err(redex.is_not("`store`")),
    },
};

/// What is written where it is computed is not stored again.
pub const REMOVE_STORE: Rule = Rule {
    name: "removeStore",
    statement: "a >> store = a, toGlobal(a) = a",
    origin: "the inverse of storeBetween and toGlobal",
    parameters: &[],
    regroups: false,
    apply: |redex, _, _| match &redex.expr.kind {
        ExprKind::Store(_, value) => Ok(value.clone()),
        _ => Err(redex.is_not("something that is stored")),
    },
};

/// A copy of an array in a memory.
pub const COPY_TO: Rule = Rule {
    name: "copyTo",
    statement: "a = a >> toLocal(mapLcl0(mapSeq(id)))",
    origin: "Steuwer's thesis, section 4.3; Hagedorn's thesis, section 6.3",
    parameters: &[Kind::Space, Kind::Map],
    regroups: false,
    apply: copy_to,
};

fn copy_to(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    let [Argument::Space(space), Argument::Map(kind)] = arguments else { return Err(Mismatch::Arguments) };
    array(redex)?;
    may_be_stored(redex, *space)?;
    let around: Vec<MapKind> = redex.around.workers().collect();
    may_stand(*kind, &around, redex.expr)?;
    let inner = match kind {
        MapKind::Unspecified => MapKind::Unspecified,
        MapKind::Unrolled => MapKind::Unrolled,
        MapKind::Sequential
        | MapKind::Sliding
        | MapKind::Global(_)
        | MapKind::WorkGroup(_)
        | MapKind::Local(_) => MapKind::Sequential,
    };
    let copied = copied(redex.expr.clone(), *kind, inner, build)?;
    Ok(build.store(*space, copied)?)
}

/// A copy that a work-item keeps in registers: it reads each element once.
pub const KEEP: Rule = Rule {
    name: "keep",
    statement: "a = a >> toPrivate(mapSeq(id))",
    origin: "Hagedorn's thesis, section 6.3: register blocking",
    parameters: &[],
    regroups: false,
    apply: keep,
};

fn keep(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    array(redex)?;
    may_be_stored(redex, AddressSpace::Private)?;
    let lengths = redex.expr.ty.shape();
    if lengths.iter().any(|length| length.as_constant().is_none()) {
        return Err(Mismatch::condition("registers hold arrays of constant length", redex.expr));
    }
    let copied = copied(redex.expr.clone(), MapKind::Sequential, MapKind::Sequential, build)?;
    Ok(build.store(AddressSpace::Private, copied)?)
}

/// The work-items of a group copy an array together: neighbours copy neighbouring elements, as vectors.
pub const COPY_TOGETHER: Rule = Rule {
    name: "copyTogether",
    statement: "a = a >> toLocal(|t| t >> map(asVector(w)) >> join >> split(items) >> mapSeq(mapLcl0(id)) >> \
                join >> split(len(a, 1) / w) >> map(asScalar))",
    origin: "CGO 2017, section 7.1; in linear order and as vectors: new, an array is its elements in one row",
    parameters: &[Kind::Size, Kind::Width],
    regroups: false,
    apply: copy_together,
};

fn copy_together(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    let [Argument::Size(items), Argument::Width(width)] = arguments else {
        return Err(Mismatch::Arguments);
    };
    array(redex)?;
    if redex.expr.ty.is_position_dependent() {
        return Err(Mismatch::condition("all rows have one length and one type", redex.expr));
    }
    may_be_stored(redex, AddressSpace::Local)?;
    let around: Vec<MapKind> = redex.around.workers().collect();
    may_stand(MapKind::Local(0), &around, redex.expr)?;
    let inner = redex.expr.ty.shape().len() - 1;
    let packed = match width {
        1 => redex.expr.clone(),
        width => in_rows(redex.expr.clone(), inner, Layout::AsVector { width: *width }, build)?,
    };
    let lengths = packed.ty.shape();
    let mut flat = packed;
    for _ in 0..inner {
        flat = build.join(flat)?;
    }
    let turns = build.split(items, flat)?;
    let copied = copied(turns, MapKind::Sequential, MapKind::Local(0), build)?;
    let mut rows = build.join(copied)?;
    for length in lengths.iter().skip(1).rev() {
        rows = build.split(length, rows)?;
    }
    let unpacked = match width {
        1 => rows,
        _ => in_rows(rows, inner, Layout::AsScalar, build)?,
    };
    Ok(build.store(AddressSpace::Local, unpacked)?)
}

/// The rows of a stored array get gaps between them, so that the elements of a column lie in different banks.
pub const INCREASE_COPY: Rule = Rule {
    name: "increaseCopy",
    statement: "toLocal(f) = toLocal(f >> map(increase(l, r)))",
    origin: "Hagedorn's thesis, definition 3.6",
    parameters: &[Kind::Size, Kind::Size],
    regroups: false,
    apply: increase_copy,
};

fn increase_copy(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    let [Argument::Size(left), Argument::Size(right)] = arguments else { return Err(Mismatch::Arguments) };
    let (space, value) = stored_array(redex, 1)?;
    let inner = value.ty.shape().len() - 1;
    let increase = Layout::Increase { left: left.clone(), right: right.clone() };
    let increased = in_rows(value.clone(), inner, increase, build)?;
    Ok(build.store(space, increased)?)
}

/// A stored array is stored with its columns as rows.
pub const TRANSPOSED_COPY: Rule = Rule {
    name: "transposedCopy",
    statement: "toLocal(f) = toLocal(f >> transpose) >> transpose",
    origin: "Hagedorn's thesis, section 6.3",
    parameters: &[],
    regroups: false,
    apply: transposed_copy,
};

fn transposed_copy(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    let (space, value) = stored_array(redex, 2)?;
    let transposed = build.transpose(value.clone())?;
    let stored = build.store(space, transposed)?;
    Ok(build.transpose(stored)?)
}

/// The rows of a variable are read from a copy in which its columns lie one after the other. The copy is made
/// before the expression, or before the part of a `let` that reads it. The place starts at the expression.
pub const TURN_ROWS: Rule = Rule {
    name: "turnRows",
    statement: "f(a) = { let a_turned = a >> transpose >> store; f(a_turned >> transpose) }",
    origin: "data layout transformation (Sung, Stratton, Hwu, PACT 2010)",
    parameters: &[Kind::Place],
    regroups: false,
    apply: turn_rows,
};

fn turn_rows(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Result<Rc<Expr>, Mismatch> {
    let path = place(arguments)?;
    let rows = match (&redex.expr.kind, path.positions().split_first()) {
        // The copy stands behind what is bound before.
        (ExprKind::Let { .. }, Some((part, inside))) => {
            let part = redex.expr.children().into_iter().nth(*part).ok_or(Mismatch::Arguments)?;
            unbound(part, &Path::from(inside.to_vec()))?
        }
        _ => unbound(redex.expr, path)?,
    };
    let ExprKind::Variable(array) = &rows.kind else {
        return Err(Mismatch::form("a variable", rows, path.positions().len()));
    };
    let columns = build.transpose(rows.clone())?;
    let variable = build.variable(&format!("{}_turned", array.name));
    let read = build.read(&variable, &columns.ty);
    let read = build.transpose(read)?;
    let read = build.in_place_of(rows, &read)?;
    let changed = redex.expr.with_replaced(path, read).ok_or(Mismatch::Arguments)?;
    let copy = Binding { variable, value: build.keep(columns)? };
    match (&changed.kind, path.positions().first()) {
        (ExprKind::Let { bindings, body }, Some(part)) => {
            let (before, after) = bindings.split_at(*part);
            let bindings = before.iter().cloned().chain([copy]).chain(after.iter().cloned());
            Ok(build.bind_all(bindings.collect(), body.clone())?)
        }
        _ => Ok(build.bind_all(vec![copy], changed)?),
    }
}

fn array(redex: &Redex<'_>) -> Result<(), Mismatch> {
    match redex.expr.ty {
        Type::Array(_) => Ok(()),
        Type::Scalar(_) | Type::Vector(..) | Type::Tuple(_) | Type::Size => Err(redex.is_not("an array")),
    }
}

/// A value of at least `dimensions` dimensions that is stored in a memory.
fn stored_array<'e>(redex: &Redex<'e>, dimensions: usize) -> Result<(AddressSpace, &'e Rc<Expr>), Mismatch> {
    let ExprKind::Store(Some(space), value) = &redex.expr.kind else {
        return Err(redex.is_not("an array that is stored in a memory"));
    };
    match value.ty.shape().len() >= dimensions {
        true => Ok((*space, value)),
        false => Err(Mismatch::form("an array with more dimensions", value, 1)),
    }
}

/// Whether the value is stored as it is.
fn is_stored(redex: &Redex<'_>) -> bool {
    let parent = redex.around.layers().next();
    parent.is_some_and(|(parent, _)| matches!(parent.kind, ExprKind::Store(..)))
}

/// Demands that the maps around say whose memory it is, and that a work-item keeps only what it computes
/// itself.
fn may_be_stored(redex: &Redex<'_>, space: AddressSpace) -> Result<(), Mismatch> {
    match space {
        AddressSpace::Global => Ok(()),
        AddressSpace::Local => {
            match redex.around.workers().any(|around| matches!(around, MapKind::WorkGroup(_))) {
                true => Ok(()),
                false => Err(Mismatch::condition("`toLocal` stands inside a `mapWrg`", redex.expr)),
            }
        }
        AddressSpace::Private => match is_shared(redex.expr) {
            false => Ok(()),
            true => Err(Mismatch::condition("one work-item computes what it keeps", redex.expr)),
        },
    }
}

/// Whether several work-items compute the elements of a value.
fn is_shared(expr: &Expr) -> bool {
    let levels =
        |kind: &MapKind| matches!(kind, MapKind::Global(_) | MapKind::WorkGroup(_) | MapKind::Local(_));
    match &expr.kind {
        ExprKind::Map(kind, function, _) => levels(kind) || is_shared(&function.body),
        _ => expr.parts_of_value().into_iter().any(|part| is_shared(part)),
    }
}

/// A copy of an array of any rank: a map of the identity for each dimension, with these workers for the
/// outermost one, and those for the others.
fn copied(
    array: Rc<Expr>,
    outer: MapKind,
    inner: MapKind,
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    build.map_with(outer, array, "x", |build, element| match element.ty {
        Type::Array(_) => copied(element, inner, inner, build),
        Type::Scalar(_) | Type::Vector(..) | Type::Tuple(_) | Type::Size => Ok(element),
    })
}

/// A layout of each of the arrays that lie `dimensions` dimensions inside.
fn in_rows(
    array: Rc<Expr>,
    dimensions: usize,
    layout: Layout,
    build: &mut Build<'_>,
) -> Result<Rc<Expr>, Mismatch> {
    match dimensions {
        0 => Ok(build.layout(layout, array)?),
        _ => build.map_over(array, "row", |build, row| in_rows(row, dimensions - 1, layout, build)),
    }
}
