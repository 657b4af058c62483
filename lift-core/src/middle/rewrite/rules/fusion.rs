//! Fusion: two passes over an array become one.
//!
//! Each rule takes a map that is consumed at one place, and moves its function to where its elements are
//! used. Who computes the elements of the consumer stays as it is.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Redex, Rule};
use super::nests::{Nest, map_nest, zip_nest};
use super::parts::{Reduction, first_map, map, name, names, of_components, reduction};
use crate::ir::nat::Nat;
use crate::ir::typed::alpha::alpha_eq;
use crate::ir::typed::build::Build;
use crate::ir::typed::result;
use crate::ir::typed::{Expr, ExprKind, Lambda, MapKind, ScanKind};

/// Two maps become one.
pub const MAP_FUSION: Rule = Rule {
    name: "mapFusion",
    statement: "map(f) >> map(g) = map(|x| g(f(x)))",
    origin: "ICFP 2015, section 4.1",
    parameters: &[],
    regroups: false,
    apply: map_fusion,
};

/// A map of a `zip` takes over the function of the first of its arrays that is a map.
pub const MAP_FUSION_IN_ZIP: Rule = Rule {
    name: "mapFusionInZip",
    statement: "zip(map(f, a), b) >> map(g) = zip(a, b) >> map(|(x, y)| g((f(x), y)))",
    origin: "Lift's mapFusionInZip, and its mapFusionWithZip",
    parameters: &[],
    regroups: false,
    apply: map_fusion_in_zip,
};

/// Nests of two maps, one after the other.
pub const MAP_2_FUSION: Rule = Rule {
    name: "map2Fusion",
    statement: "map2(f) >> map2(g) = map2(|x| g(f(x))), \
                zip2(map2(f, a), b) >> map2(g) = zip2(a, b) >> map2(|(x, y)| g((f(x), y)))",
    origin: "ICFP 2015, section 4.1, and Lift's mapFusionInZip, in two dimensions",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| nest_fusion(redex, 2, build),
};

/// Nests of three maps, one after the other.
pub const MAP_3_FUSION: Rule = Rule {
    name: "map3Fusion",
    statement: "as map2Fusion, for map3 and zip3",
    origin: "ICFP 2015, section 4.1, and Lift's mapFusionInZip, in three dimensions",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| nest_fusion(redex, 3, build),
};

/// A reduction takes over the function of the map that it reduces.
pub const REDUCE_MAP_FUSION: Rule = Rule {
    name: "reduceMapFusion",
    statement: "map(g) >> reduce(f, z) = reduce(|acc, x| f(acc, g(x)), z)",
    origin: "ICFP 2015, section 4.1",
    parameters: &[],
    regroups: false,
    apply: reduce_map_fusion,
};

/// A reduction of a `zip` takes over the function of the first of its arrays that is a map.
pub const REDUCE_FUSION_IN_ZIP: Rule = Rule {
    name: "reduceFusionInZip",
    statement: "zip(map(g, a), b) >> reduce(f, z) = zip(a, b) >> reduce(|acc, (x, y)| f(acc, (g(x), y)), z)",
    origin: "Lift's reduceFusionInZip",
    parameters: &[],
    regroups: false,
    apply: reduce_fusion_in_zip,
};

/// A scan takes over the function of the map that it scans.
pub const SCAN_MAP_FUSION: Rule = Rule {
    name: "scanMapFusion",
    statement: "map(g) >> scan(f, z) = scan(|acc, x| f(acc, g(x)), z)",
    origin: "new: a scan is the reductions of all prefixes, for which it is reduceMapFusion",
    parameters: &[],
    regroups: false,
    apply: scan_map_fusion,
};

/// Maps of one array become one map.
pub const TUPLE_MAP: Rule = Rule {
    name: "tupleMap",
    statement: "(map(f, a), map(g, a)) = map(|x| (f(x), g(x)), a) >> unzip",
    origin: "Lift's tupleMap",
    parameters: &[],
    regroups: false,
    apply: tuple_map,
};

fn map_fusion(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let (second, input) = map(redex)?;
    let ExprKind::Map(MapKind::Unspecified, first, array) = &input.kind else {
        return Err(Mismatch::form("a `map` of a `map`", input, 1));
    };
    let index = match (&first.index, &second.index) {
        (None, None) => None,
        (Some(index), _) => Some(index.clone()),
        (None, Some(index)) => Some(index.clone()),
    };
    let position = index.as_ref().map(Nat::variable);
    let body = build.apply(second, position.as_ref(), vec![first.body.clone()])?;
    let function = Lambda { parameters: first.parameters.clone(), index, body };
    Ok(build.map(MapKind::Unspecified, function, array.clone())?)
}

fn nest_fusion(redex: &Redex<'_>, dimensions: usize, build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    const WANTED: &str = "a nest of `map`s of another one";
    let second = Nest::read(redex.expr, dimensions, WANTED)?;
    let firsts: Vec<Option<Nest<'_>>> =
        second.arrays.iter().map(|array| Nest::read(array, dimensions, WANTED).ok()).collect();
    if firsts.iter().all(Option::is_none) {
        return Err(redex.is_not(WANTED));
    }
    // The arrays that each of the values is computed of, and all of them, each once.
    let of_each = second.arrays.iter().zip(&firsts);
    let of_each: Vec<&[Arc<Expr>]> = of_each
        .map(|(array, first)| first.as_ref().map_or(std::slice::from_ref(array), |first| first.arrays))
        .collect();
    let mut arrays: Vec<Arc<Expr>> = Vec::new();
    let mut positions: Vec<Vec<usize>> = Vec::new();
    for of_value in of_each {
        let position = of_value.iter().map(|array| {
            arrays.iter().position(|other| alpha_eq(other, array)).unwrap_or_else(|| {
                arrays.push(array.clone());
                arrays.len() - 1
            })
        });
        positions.push(position.collect());
    }
    let is_zip = arrays.len() > 1;
    let input = match arrays.as_slice() {
        [only] => only.clone(),
        _ => zip_nest(dimensions, arrays, build)?,
    };
    map_nest(&second.names(), input, &mut Vec::new(), build, &mut |build, at, element| {
        let mut values = Vec::new();
        for (first, positions) in firsts.iter().zip(&positions) {
            let elements = positions.iter().map(|position| match is_zip {
                true => Ok(build.component(&element, *position)?),
                false => Ok(element.clone()),
            });
            let elements = elements.collect::<Result<Vec<_>, Mismatch>>()?;
            match first {
                Some(first) => values.push(first.apply_to_values(at, elements, build)?),
                None => values.extend(elements),
            }
        }
        second.apply_to_values(at, values, build)
    })
}

/// A `zip` one of whose arrays is a map, taken apart.
struct ZippedMap<'e> {
    /// Which array it is.
    position: usize,
    /// The function of the map.
    function: &'e Lambda,
    /// The `zip` with the array of the map instead of the map.
    zip: Arc<Expr>,
    /// How many arrays are zipped.
    count: usize,
}

impl<'e> ZippedMap<'e> {
    fn of(input: &'e Expr, build: &mut Build<'_>) -> Result<ZippedMap<'e>, Mismatch> {
        let ExprKind::Zip(arrays) = &input.kind else { return Err(Mismatch::form("a `zip`", input, 1)) };
        let Some((position, function, array)) = first_map(arrays) else {
            return Err(Mismatch::form("a `zip` of a `map`", input, 2));
        };
        let mut unmapped = arrays.clone();
        unmapped[position] = array.clone();
        let zip = build.zip(unmapped)?;
        Ok(ZippedMap { position, function, zip, count: arrays.len() })
    }

    /// The components of an element of the original `zip`, given the element of the new one.
    fn components(
        &self,
        place: &Nat,
        element: &Arc<Expr>,
        build: &mut Build<'_>,
    ) -> Result<Vec<Arc<Expr>>, result::Mismatch> {
        let component = |position| {
            let component = build.component(element, position)?;
            match position == self.position {
                true => build.apply(self.function, Some(place), vec![component]),
                false => Ok(component),
            }
        };
        (0..self.count).map(component).collect()
    }
}

fn map_fusion_in_zip(
    redex: &Redex<'_>,
    _: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let (function, input) = map(redex)?;
    let zipped = ZippedMap::of(input, build)?;
    let of_components = of_components(function, build)?;
    build.map_at(MapKind::Unspecified, zipped.zip.clone(), name(function, 0), |build, place, element| {
        let components = zipped.components(place, &element, build)?;
        Ok(build.apply(&of_components, Some(place), components)?)
    })
}

fn reduce_map_fusion(
    redex: &Redex<'_>,
    _: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let Reduction { kind, function, initial, array } = reduction(redex)?;
    let ExprKind::Map(MapKind::Unspecified, of_element, mapped) = &array.kind else {
        return Err(Mismatch::form("a reduction of a `map`", array, 1));
    };
    let fused = after_map(function, of_element, initial, mapped, build)?;
    Ok(build.reduce(kind, fused, initial.clone(), mapped.clone())?)
}

/// `|acc, x| f(acc, g(x))`, for the elements `x` of an array.
fn after_map(
    function: &Lambda,
    of_element: &Lambda,
    initial: &Expr,
    array: &Expr,
    build: &mut Build<'_>,
) -> Result<Lambda, Mismatch> {
    let names = [name(function, 0), name(of_element, 0)];
    build.accumulation_at(names, &initial.ty, array, |build, place, accumulator, element| {
        let element = build.apply(of_element, Some(place), vec![element])?;
        Ok(build.apply(function, Some(place), vec![accumulator, element])?)
    })
}

fn reduce_fusion_in_zip(
    redex: &Redex<'_>,
    _: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let Reduction { kind, function, initial, array } = reduction(redex)?;
    let zipped = ZippedMap::of(array, build)?;
    let of_components = of_components(function, build)?;
    let fused = build.accumulation_at(
        names(function),
        &initial.ty,
        &zipped.zip,
        |build, place, accumulator, element| {
            let mut arguments = vec![accumulator];
            arguments.extend(zipped.components(place, &element, build)?);
            Ok::<_, Mismatch>(build.apply(&of_components, Some(place), arguments)?)
        },
    )?;
    Ok(build.reduce(kind, fused, initial.clone(), zipped.zip)?)
}

fn scan_map_fusion(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Scan(kind, function, initial, array) = &redex.expr.kind else {
        return Err(redex.is_not("a scan"));
    };
    // The first result of an inclusive scan is the first element itself.
    if *kind == ScanKind::Inclusive {
        return Err(redex.is_not("a scan that starts with an initial value"));
    }
    let ExprKind::Map(MapKind::Unspecified, of_element, mapped) = &array.kind else {
        return Err(Mismatch::form("a scan of a `map`", array, 1));
    };
    let fused = after_map(function, of_element, initial, mapped, build)?;
    Ok(build.expr(ExprKind::Scan(*kind, fused, initial.clone(), mapped.clone()))?)
}

fn tuple_map(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Tuple(parts) = &redex.expr.kind else { return Err(redex.is_not("a tuple")) };
    let mut functions = Vec::new();
    let mut common: Option<&Arc<Expr>> = None;
    for part in parts {
        let ExprKind::Map(MapKind::Unspecified, function, array) = &part.kind else {
            return Err(Mismatch::form("a tuple of `map`s", part, 1));
        };
        if common.is_some_and(|common| !alpha_eq(common, array)) {
            return Err(Mismatch::condition("the `map`s have one array", array));
        }
        common.get_or_insert(array);
        functions.push(function);
    }
    let (Some(array), Some(first)) = (common, functions.first()) else { return Err(redex.is_not("a tuple")) };
    let mapped =
        build.map_at(MapKind::Unspecified, array.clone(), name(first, 0), |build, place, element| {
            let apply = |function: &&Lambda| build.apply(function, Some(place), vec![element.clone()]);
            let parts = functions.iter().map(apply).collect::<Result<Vec<_>, _>>()?;
            Ok::<_, Mismatch>(build.tuple(parts)?)
        })?;
    Ok(build.expr(ExprKind::Unzip(mapped))?)
}
