//! Vectors: neighbouring elements are computed at once, by operations on vectors (CGO 2017, section 3.2).
//!
//! An array becomes one of vectors of its neighbouring elements: the scalars of an array by `asVector`, of an
//! array of tuples component by component, of an array of rows in every column. The function of its elements
//! is lifted ([`lift`]). That vectors fill the arrays is what `asVector` needs.

use std::sync::Arc;

use super::super::lift::lift;
use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use crate::ir::nat::Nat;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, ExprKind, Lambda, Layout, MapKind};
use crate::ir::types::Type;

/// An array of scalars is one of vectors.
pub const AS_VECTORS: Rule = Rule {
    name: "asVectors",
    statement: "a = a >> asVector(w) >> asScalar",
    origin: "CGO 2017, section 3.2",
    parameters: &[Kind::Width],
    regroups: false,
    apply: as_vectors_and_back,
};

fn as_vectors_and_back(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let width = width(arguments)?;
    if !matches!(&redex.expr.ty, Type::Array(array) if matches!(array.element, Type::Scalar(_))) {
        return Err(redex.is_not("an array of scalars"));
    }
    let vectors = as_vectors(redex.expr, width, build)?;
    as_scalars(vectors, build)
}

/// A map computes neighbouring results at once.
pub const VECTORISE_MAP: Rule = Rule {
    name: "vectoriseMap",
    statement: "map(f, a) = a >> asVector(w) >> map(lift(f, w)) >> asScalar",
    origin: "ICFP 2015, section 4.2; zips: CASES 2016, section 4; rows: new, each column is an array of \
             scalars",
    parameters: &[Kind::Width],
    regroups: false,
    apply: vectorise_map,
};

fn vectorise_map(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let width = width(arguments)?;
    let (kind, function, input) = map_of_one_item(redex)?;
    let vectors = as_vectors(input, width, build)?;
    let lifted = lift(function, width, build)?;
    let mapped = build.map(kind, lifted, vectors)?;
    as_scalars(mapped, build)
}

/// A function of neighbourhoods computes neighbouring results at once.
pub const VECTORISE_NEIGHBOURHOOD: Rule = Rule {
    name: "vectoriseNeighbourhood",
    statement: "a >> slide(s, 1) >> map(f) = a >> slide(s + w - 1, w) >> \
                map(|n| n >> slide(w, 1) >> map(asVector(w) >> head) >> lift(f, w)) >> asScalar",
    origin: "new: element k of neighbourhood w * i + l is element k + l of the elements from w * i on",
    parameters: &[Kind::Width],
    regroups: false,
    apply: vectorise_neighbourhood,
};

fn vectorise_neighbourhood(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let width = width(arguments)?;
    let (kind, function, input) = map_of_one_item(redex)?;
    if !has_neighbourhoods(input) {
        return Err(Mismatch::form("a map of neighbourhoods, of `slide(s, 1)`", input, 1));
    }
    let pieces = pieces(input, width, build)?;
    let lifted = lift(function, width, build)?;
    let mapped = build.map_with(kind, pieces, "piece", |build, piece| {
        let vectors = vectors_of_piece(input, &piece, width, build)?;
        let lifted = match (&vectors.kind, lifted.parameters.as_slice()) {
            // These are views of the piece, which may stand in several places.
            (ExprKind::Tuple(parts), [(parameter, _)]) => lifted.with_body(&mut |body| {
                let applied = body.replace_components(parameter, parts);
                build.copy(&applied)
            }),
            _ => lifted.clone(),
        };
        Ok::<_, Mismatch>(build.apply(&lifted, None, vec![vectors])?)
    })?;
    as_scalars(mapped, build)
}

/// The width of the vectors.
pub(super) fn width(arguments: &[Argument]) -> Result<u8, Mismatch> {
    match arguments {
        [Argument::Width(width)] => Ok(*width),
        _ => Err(Mismatch::Arguments),
    }
}

/// A map that is open, or whose elements one work-item computes. Vectors would leave several work-items other
/// elements.
fn map_of_one_item<'e>(redex: &Redex<'e>) -> Result<(MapKind, &'e Lambda, &'e Arc<Expr>), Mismatch> {
    match &redex.expr.kind {
        ExprKind::Map(
            kind @ (MapKind::Unspecified | MapKind::Sequential | MapKind::Unrolled),
            function,
            input,
        ) => Ok((*kind, function, input)),
        _ => Err(redex.is_not("a `map`, or one that is computed in order")),
    }
}

/// Vectors of neighbouring elements of an array, where its elements have scalars: `asVector`. In an array of
/// tuples each component has vectors of its own, in an array of rows each column.
pub(super) fn as_vectors(array: &Arc<Expr>, width: u8, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ty = build.array_type(array)?;
    match (&ty.element, &array.kind) {
        (Type::Tuple(_), ExprKind::Zip(parts)) => {
            let parts = parts.iter().map(|part| as_vectors(part, width, build));
            let parts = parts.collect::<Result<_, _>>()?;
            Ok(build.zip(parts)?)
        }
        (Type::Tuple(_), _) => {
            of_components(array.clone(), build, |part, build| as_vectors(&part, width, build))
        }
        (Type::Array(_), kind) => {
            let columns = match kind {
                ExprKind::Layout(Layout::Transpose, columns) => columns.clone(),
                _ => build.transpose(array.clone())?,
            };
            let vectors =
                build.map_over(columns, "column", |build, column| as_vectors(&column, width, build))?;
            Ok(build.transpose(vectors)?)
        }
        (Type::Scalar(_) | Type::Vector(..) | Type::Size, _) => {
            Ok(build.layout(Layout::AsVector { width }, array.clone())?)
        }
    }
}

/// The array of scalars that an array of vectors was made of by [`as_vectors`].
pub(super) fn as_scalars(vectors: Arc<Expr>, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ty = build.array_type(&vectors)?;
    match &ty.element {
        Type::Tuple(_) => of_components(vectors, build, as_scalars),
        Type::Array(_) => {
            let columns = build.transpose(vectors)?;
            let scalars = build.map_over(columns, "column", |build, column| as_scalars(column, build))?;
            Ok(build.transpose(scalars)?)
        }
        Type::Scalar(_) | Type::Vector(..) | Type::Size => Ok(build.layout(Layout::AsScalar, vectors)?),
    }
}

/// The array of tuples whose components are made of those of another one.
fn of_components(
    tuples: Arc<Expr>,
    build: &mut Build<'_>,
    mut change: impl FnMut(Arc<Expr>, &mut Build<'_>) -> Result<Arc<Expr>, Mismatch>,
) -> Result<Arc<Expr>, Mismatch> {
    let ty = build.array_type(&tuples)?;
    let Type::Tuple(components) = &ty.element else {
        return Err(Mismatch::form("an array of tuples", &tuples, 1));
    };
    let unzipped = build.expr(ExprKind::Unzip(tuples))?;
    build.shared("parts", unzipped, |build, parts| {
        let mut changed = Vec::new();
        for position in 0..components.len() {
            let part = build.component(&parts, position)?;
            changed.push(change(part, build)?);
        }
        Ok(build.zip(changed)?)
    })
}

/// The array of a `slide(size, 1)`, and the size.
fn neighbourhoods(array: &Expr) -> Option<(&Nat, &Arc<Expr>)> {
    match &array.kind {
        ExprKind::Layout(Layout::Slide { size, step }, input) if step.as_constant() == Some(1) => {
            Some((size, input))
        }
        _ => None,
    }
}

fn has_neighbourhoods(array: &Expr) -> bool {
    match &array.kind {
        ExprKind::Zip(parts) => parts.iter().any(|part| has_neighbourhoods(part)),
        _ => neighbourhoods(array).is_some(),
    }
}

/// What the vectors of `width` elements of an array are made of: for neighbourhoods, everything that they
/// contain.
fn pieces(array: &Arc<Expr>, width: u8, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    if let Some((size, input)) = neighbourhoods(array) {
        let width = Nat::constant(i128::from(width));
        let piece = build.simplified(&(size + &width - Nat::one()));
        return Ok(build.slide(&piece, &width, input.clone())?);
    }
    match &array.kind {
        ExprKind::Zip(parts) => {
            let parts = parts.iter().map(|part| pieces(part, width, build));
            let parts = parts.collect::<Result<_, _>>()?;
            Ok(build.zip(parts)?)
        }
        _ => as_vectors(array, width, build),
    }
}

/// The vectors of elements of an array, given a piece of it as [`pieces`] makes them.
fn vectors_of_piece(
    array: &Expr,
    piece: &Arc<Expr>,
    width: u8,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    if neighbourhoods(array).is_some() {
        let shifted = build.slide(&Nat::constant(i128::from(width)), &Nat::one(), piece.clone())?;
        return build.map_over(shifted, "shifted", |build, shifted| {
            let vectors = as_vectors(&shifted, width, build)?;
            Ok(build.at(Nat::zero(), vectors)?)
        });
    }
    match &array.kind {
        ExprKind::Zip(parts) => {
            let mut vectors = Vec::new();
            for (position, part) in parts.iter().enumerate() {
                let piece = build.component(piece, position)?;
                vectors.push(vectors_of_piece(part, &piece, width, build)?);
            }
            Ok(build.tuple(vectors)?)
        }
        _ => Ok(piece.clone()),
    }
}
