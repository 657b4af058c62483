//! Fission: one pass over an array becomes two. The inverses of fusion.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::pattern::Pattern;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::parts::{Reduction, enters_function, inner, map, name, place, reduction};
use crate::ir::typed::build::{Build, uses};
use crate::ir::typed::{Expr, Lambda, MapKind};
use crate::middle::laws::{Accumulation, Axioms};

/// A part of the function of a map gets a map of its own. The place starts at the body of the function.
pub const MAP_FISSION: Rule = Rule {
    name: "mapFission",
    statement: "map(|x| g(f(x)), a) = map(f, a) >> map(g), \
                map(|x| g(x, f(x)), a) = zip(a, map(f, a)) >> map(g)",
    origin: "Lift's mapFissionAtPosition and mapFissionCreateZip",
    parameters: &[Kind::Place],
    regroups: false,
    apply: map_fission,
};

/// What a reduction computes of each element gets a map of its own.
pub const REDUCE_MAP_FISSION: Rule = Rule {
    name: "reduceMapFission",
    statement: "reduce(|acc, x| op(acc, g(x)), z) = map(g) >> reduce(op, z)",
    origin: "ICFP 2020, section 5.2",
    parameters: &[],
    regroups: false,
    apply: reduce_map_fission,
};

fn map_fission(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let (function, array) = map(redex)?;
    let path = place(arguments)?;
    let part = inner(&function.body, path)?;
    let ([(parameter, _)], false) = (function.parameters.as_slice(), path.positions().is_empty()) else {
        return Err(Mismatch::form("a place inside the body", &function.body, 1));
    };
    let is_in_function = enters_function(&function.body, path);
    // The function with another body.
    let with_body = |body: Arc<Expr>| Lambda { body, ..function.clone() };
    let first = |array: Arc<Expr>, build: &mut Build<'_>| {
        build.map_at(MapKind::Unspecified, array, &parameter.name, |build, position, element| {
            let part = build.apply(&with_body(part.clone()), Some(position), vec![element])?;
            if is_in_function {
                // That function may be applied to no element.
                build.demand(&part)?;
            }
            Ok::<_, Mismatch>(part)
        })
    };
    // The function with the part replaced by another expression.
    let rest = |replacement: Arc<Expr>| {
        let body = function.body.with_replaced(path, replacement).ok_or(Mismatch::Arguments)?;
        Ok::<_, Mismatch>(with_body(body))
    };
    if uses(&function.body, parameter) == uses(part, parameter) {
        let intermediate = first(array.clone(), build)?;
        return build.map_at(MapKind::Unspecified, intermediate, "intermediate", |build, position, value| {
            let Lambda { index, body, .. } = rest(value)?;
            let rest = Lambda { parameters: Vec::new(), index, body };
            Ok(build.apply(&rest, Some(position), Vec::new())?)
        });
    }
    let both = |build: &mut Build<'_>, array: Arc<Expr>| {
        let intermediate = first(array.clone(), build)?;
        let both = build.zip(vec![array, intermediate])?;
        build.map_at(MapKind::Unspecified, both, &parameter.name, |build, position, pair| {
            let rest = rest(build.component(&pair, 1)?)?;
            let element = build.component(&pair, 0)?;
            Ok(build.apply(&rest, Some(position), vec![element])?)
        })
    };
    // What is computed is computed once.
    match Pattern::View.matches(array) {
        true => both(build, array.clone()),
        false => build.shared("elements", array.clone(), both),
    }
}

fn reduce_map_fission(
    redex: &Redex<'_>,
    _: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let Reduction { kind, function, initial, array } = reduction(redex)?;
    let axioms = Axioms::of_place(build);
    let separated = Accumulation::derived(function, axioms, &mut || build.prover().fresh());
    let Some(Accumulation { element, operator }) = separated else {
        let wanted = "an operator that is known to be associative combines the accumulator with a value of \
                      the element alone";
        return Err(Mismatch::condition(wanted, redex.expr));
    };
    let Some(element) = element else {
        let wanted = "the operator does not combine the elements as they are";
        return Err(Mismatch::condition(wanted, redex.expr));
    };
    let mapped =
        build.map_at(MapKind::Unspecified, array.clone(), name(&element, 0), |build, position, value| {
            Ok::<_, Mismatch>(build.apply(&element, Some(position), vec![value])?)
        })?;
    Ok(build.reduce(kind, operator, initial.clone(), mapped)?)
}
