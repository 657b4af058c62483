//! Memories: where values are stored, and copies that change it (ICFP 2015, section 5.3; Hagedorn's thesis,
//! sections 3.3 and 6.3).
//!
//! A copy is a map of the identity function that is stored. It computes nothing, so that it may replace any
//! array; what it is good for is a strategy's business. Local memory belongs to a group and private memory to
//! a work-item, so that a value is stored there only where maps around say so.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Apply, Argument, Kind, Redex, Rule};
use super::lowering::may_stand;
use super::parts::{Traversal, map, place, size, unbound};
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::result::Purpose;
use crate::ir::typed::{AddressSpace, Binding, Expr, ExprKind, Layout, MapKind, Path, Requirement};
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

fn stored(redex: &Redex<'_>, space: AddressSpace, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
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

fn copy_to(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
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

/// A map over rows of one length, for which a memory of a fixed size has room. The program stays as it is;
/// the rule adds a condition on sizes.
pub const ROWS_OF_AT_MOST: Rule = Rule {
    name: "rowsOfAtMost",
    statement: "map(f) = map(f), for arrays of at most n elements each",
    origin: "new: a condition on sizes, so that local memory has room for what a group keeps",
    parameters: &[Kind::Size],
    regroups: false,
    apply: |redex, arguments, build| {
        let (_, array) = map(redex)?;
        let room = size(arguments)?;
        let rows = build.array_type(array)?;
        let Some(row) = rows.element.as_array() else {
            return Err(redex.is_not("a `map` over arrays"));
        };
        let lengths = row.length.variables();
        if redex.around.indices().any(|(index, _)| lengths.contains(&index)) {
            return Err(redex.is_not("a `map` over arrays of the same length in every application around"));
        }
        build.under_index(rows.index.as_ref(), &rows.length, |build| {
            build.need(Requirement::AtMost(row.length.clone(), room.clone()), Purpose::RoomSuffices)
        })?;
        Ok(redex.expr.clone())
    },
};

/// A copy that a work-item keeps in registers: it reads each element once.
pub const KEEP: Rule = Rule {
    name: "keep",
    statement: "a = a >> toPrivate(mapSeq(id))",
    origin: "Hagedorn's thesis, section 6.3: register blocking",
    parameters: &[],
    regroups: false,
    apply: keep,
};

fn keep(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    array(redex)?;
    may_be_stored(redex, AddressSpace::Private)?;
    fits_registers(redex.expr)?;
    let copied = copied(redex.expr.clone(), MapKind::Sequential, MapKind::Sequential, build)?;
    Ok(build.store(AddressSpace::Private, copied)?)
}

/// What a function takes is copied before the function uses it: the arrays of its element, each for itself.
pub const COPY_ELEMENTS: Rule = Rule {
    name: "copyElements",
    statement: "map(|(x, y)| f(x, y)) = map(|(x, y)| { let a = x >> toLocal(mapLcl1(mapLcl0(id))); \
                let b = y >> toLocal(mapLcl1(mapLcl0(id))); f(a, b) }), as vectors where they are wider than 1; \
                the same for the elements of reductions",
    origin: "GPGPU 2016, figure 7: tiles in local memory, rows and columns in registers",
    parameters: &[Kind::Space, Kind::Map, Kind::Map, Kind::Width],
    regroups: false,
    apply: |redex, arguments, build| copy_elements(redex, None, arguments, build),
};

/// One of the arrays that a function takes is copied before the function uses it.
pub const COPY_ELEMENT: Rule = Rule {
    name: "copyElement",
    statement: "map(|(x, y)| f(x, y)) = map(|(x, y)| { let b = y >> toLocal(mapLcl1(mapLcl0(id))); f(x, b) }) \
                for component 1, counted from 0; otherwise as copyElements",
    origin: "GPGPU 2016, figure 7: tiles in local memory, rows and columns in registers",
    parameters: &[Kind::Size, Kind::Space, Kind::Map, Kind::Map, Kind::Width],
    regroups: false,
    apply: |redex, arguments, build| match arguments {
        [Argument::Size(number), how @ ..] => copy_elements(redex, Some(number), how, build),
        _ => Err(Mismatch::Arguments),
    },
};

/// Copies of all components, or of one.
fn copy_elements(
    redex: &Redex<'_>,
    only: Option<&Nat>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    const WANTED: &str = "a `map` or a reduction of arrays";
    let [Argument::Space(space), Argument::Map(outer), Argument::Map(inner), Argument::Width(width)] =
        arguments
    else {
        return Err(Mismatch::Arguments);
    };
    let traversal = Traversal::read(redex, WANTED)?;
    let Traversal { function, element, ty, array, .. } = traversal;
    let mut around: Vec<MapKind> = redex.around.workers().collect();
    if let ExprKind::Map(kind, ..) = &redex.expr.kind {
        around.insert(0, *kind);
    }
    may_stand(*outer, &around, redex.expr)?;
    may_stand(*inner, &[&[*outer], around.as_slice()].concat(), redex.expr)?;
    let length = build.array_type(array)?.length.clone();
    let variable = build.variable(&element.name);
    let read = build.read(&variable, ty);
    let body = build.under_index(function.index.as_ref(), &length, |build| {
        let (mut bindings, mut own) = (Vec::new(), Vec::new());
        for (part, number) in components(&read, build)?.into_iter().zip(0..) {
            let is_wanted = only.is_none_or(|only| only.as_constant() == Some(number));
            let (Type::Array(_), true) = (&part.ty, is_wanted) else {
                own.push(part);
                continue;
            };
            fits(&part, *space, &around)?;
            let value = copied_as_vectors(part, *space, [*outer, *inner], *width, build)?;
            let variable = build.variable(name_of_copy(*space));
            own.push(build.read(&variable, &value.ty));
            bindings.push(Binding { variable, value });
        }
        if bindings.is_empty() {
            return Err(Mismatch::form(WANTED, array, 1));
        }
        let (body, whole) = match ty {
            Type::Tuple(_) => (function.body.replace_components(element, &own), build.tuple(own)?),
            _ => (function.body.clone(), own.remove(0)),
        };
        Ok::<_, Mismatch>(build.bind_all(bindings, body.replace(element, &whole))?)
    })?;
    Ok(traversal.with(array.clone(), (variable, ty.clone()), body, build)?)
}

/// What a copy is called in kernels, after what it is for.
fn name_of_copy(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Global => "copy",
        AddressSpace::Local => "tile",
        AddressSpace::Private => "own",
    }
}

/// The components of a tuple, or the one value that it is.
fn components(value: &Arc<Expr>, build: &mut Build<'_>) -> Result<Vec<Arc<Expr>>, Mismatch> {
    match &value.ty {
        Type::Tuple(types) => {
            Ok((0..types.len()).map(|position| build.component(value, position)).collect::<Result<_, _>>()?)
        }
        _ => Ok(vec![value.clone()]),
    }
}

/// Demands that an array inside maps with these workers may be copied to a memory.
fn fits(array: &Expr, space: AddressSpace, around: &[MapKind]) -> Result<(), Mismatch> {
    match space {
        AddressSpace::Global => Ok(()),
        AddressSpace::Local => belongs_to_a_group(array, around.iter().copied()),
        AddressSpace::Private => fits_registers(array),
    }
}

/// A copy of an array with these workers for its first dimension and for the others, as vectors.
fn copied_as_vectors(
    array: Arc<Expr>,
    space: AddressSpace,
    [outer, inner]: [MapKind; 2],
    width: u8,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let rank = array.ty.shape().len() - 1;
    let packed = match width {
        1 => array,
        _ => in_rows(array, rank, Layout::AsVector { width }, build)?,
    };
    let copied = copied(packed, outer, inner, build)?;
    let stored = build.store(space, copied)?;
    match width {
        1 => Ok(stored),
        _ => in_rows(stored, rank, Layout::AsScalar, build),
    }
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
) -> Result<Arc<Expr>, Mismatch> {
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
) -> Result<Arc<Expr>, Mismatch> {
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

fn transposed_copy(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
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

fn turn_rows(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let path = place(arguments)?;
    let rows = match (&redex.expr.kind, path.positions().split_first()) {
        // The copy stands behind what is bound before.
        (ExprKind::Let { .. }, Some((part, inside))) => {
            let part = redex.expr.children().nth(*part).ok_or(Mismatch::Arguments)?;
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
fn stored_array<'e>(redex: &Redex<'e>, dimensions: usize) -> Result<(AddressSpace, &'e Arc<Expr>), Mismatch> {
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
        AddressSpace::Local => belongs_to_a_group(redex.expr, redex.around.workers()),
        AddressSpace::Private => match is_shared(redex.expr) {
            false => Ok(()),
            true => Err(Mismatch::condition("one work-item computes what it keeps", redex.expr)),
        },
    }
}

/// Demands that one of the maps around is one of work-groups, whose memory it is.
fn belongs_to_a_group(expr: &Expr, mut around: impl Iterator<Item = MapKind>) -> Result<(), Mismatch> {
    match around.any(|around| matches!(around, MapKind::WorkGroup(_))) {
        true => Ok(()),
        false => Err(Mismatch::condition("`toLocal` stands inside a `mapWrg`", expr)),
    }
}

/// Demands that the lengths of an array are constants.
fn fits_registers(array: &Expr) -> Result<(), Mismatch> {
    match array.ty.shape().iter().all(|length| length.as_constant().is_some()) {
        true => Ok(()),
        false => Err(Mismatch::condition("registers hold arrays of constant length", array)),
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
pub(super) fn copied(
    array: Arc<Expr>,
    outer: MapKind,
    inner: MapKind,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    build.map_with(outer, array, "x", |build, element| match element.ty {
        Type::Array(_) => copied(element, inner, inner, build),
        Type::Scalar(_) | Type::Vector(..) | Type::Tuple(_) | Type::Size => Ok(element),
    })
}

/// A layout of each of the arrays that lie `dimensions` dimensions inside.
fn in_rows(
    array: Arc<Expr>,
    dimensions: usize,
    layout: Layout,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    match dimensions {
        0 => Ok(build.layout(layout, array)?),
        _ => build.map_over(array, "row", |build, row| in_rows(row, dimensions - 1, layout, build)),
    }
}
