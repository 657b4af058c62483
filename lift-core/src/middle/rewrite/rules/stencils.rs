//! Stencils: windows and borders past maps, windows of windows, and how the elements that neighbouring
//! windows share are read once. Tiles that hold windows are in `tiling`.
//!
//! The names of movement rules say what stands there before, as in `movement`.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapOf, is_variable, layout_of, mentions_besides, replace_all};
use super::super::rule::{Argument, Redex, Rule};
use super::interchange::reduction_in;
use super::movement::each_of_rows;
use super::windows::{Grid, Part, Stencil, Windows};
use crate::ir::nat::{Condition, Nat};
use crate::ir::scalar::{BinaryOperator, ScalarType};
use crate::ir::typed::alpha::alpha_eq;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Boundary, Expr, ExprKind, Layout, MapKind};

type Right = Result<Arc<Expr>, Mismatch>;

/// Windows of windows.
pub const SLIDE_SLIDE: Rule = Rule {
    name: "slideSlide",
    statement: "slide(n, s) >> slide(m, t) = slide(n + (m - 1) * s, s * t) >> map(slide(n, s))",
    origin: "SHINE, movement rules (for s = 1); for other steps new: \
             both begin at s * t * i and hold m windows",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `slide` of a `slide`";
        let (outer, between) = Windows::read(redex.expr, WANTED, 0)?;
        let (inner, array) = Windows::read(between, WANTED, 1)?;
        let size = &inner.size + (&outer.size - Nat::one()) * &inner.step;
        let tiles = build.slide(&size, &(&inner.step * &outer.step), array.clone())?;
        build.map_over(tiles, "tile", |build, tile| inner.of(tile, build))
    },
};

/// Windows before the map whose results they held.
pub const MAP_F_BEFORE_SLIDE: Rule = Rule {
    name: "mapFBeforeSlide",
    statement: "map(f) >> slide(n, s) = slide(n, s) >> map(map(f))",
    origin: "Lift (slidePromotion); SHINE, movement rules",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `slide` of a `map`";
        let (windows, mapped) = Windows::read(redex.expr, WANTED, 0)?;
        let map = MapOf::read(mapped, WANTED, 1)?;
        let slid = windows.of(map.input.clone(), build)?;
        each_of_rows(map, slid, "window", build, |i, j| &windows.step * i + j)
    },
};

/// A function of single elements, before windows share them.
pub const SLIDE_BEFORE_MAP_MAP_F: Rule = Rule {
    name: "slideBeforeMapMapF",
    statement: "slide(n, s) >> map(|w| g(map(f, w))) = map(f) >> slide(n, s) >> map(g)",
    origin: "SHINE, movement rules; with g: the row part of a stencil, new",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `map` over each window";
        let map = MapOf::read(redex.expr, "a `map` of a `slide`", 0)?;
        let (windows, array) = Windows::read(map.input, "a `map` of a `slide`", 1)?;
        let of_elements = map_over(map.body(), map).ok_or_else(|| Mismatch::form(WANTED, map.body(), 2))?;
        let is_mapped = |expr: &Arc<Expr>| alpha_eq(expr, of_elements);
        if mentions_besides(map.body(), &is_mapped, map.parameter) {
            return Err(Mismatch::condition("windows are used only after this `map`", map.body()));
        }
        let elements = MapOf::read(of_elements, WANTED, 2)?;
        let name = &elements.parameter.name;
        let mapped =
            build.map_at(MapKind::Unspecified, array.clone(), name, |build, position, element| {
                elements.apply(build, position, element)
            })?;
        let slid = windows.of(mapped, build)?;
        if Arc::ptr_eq(of_elements, map.body()) {
            return Ok(slid);
        }
        build.map_at(MapKind::Unspecified, slid, &map.parameter.name, |_, position, window| {
            Ok(map.at_position(position, &replace_all(map.body(), &is_mapped, &window)))
        })
    },
};

/// The first `map(f, w)` in the body of a function, where `w` is its parameter and `f` knows neither `w` nor
/// positions.
fn map_over<'e>(body: &'e Arc<Expr>, map: MapOf<'_>) -> Option<&'e Arc<Expr>> {
    let is_found = MapOf::read(body, "", 0).is_ok_and(|inner| {
        is_variable(inner.input, map.parameter)
            && !map.is_mentioned_in(inner.body())
            && !inner.is_position_mentioned_in(inner.body())
            && inner.input.ty.as_array().is_some_and(|array| array.index.is_none())
    });
    match is_found {
        true => Some(body),
        false => body.children().find_map(|child| map_over(child, map)),
    }
}

/// A border before the map whose results it repeated.
pub const MAP_F_BEFORE_PAD: Rule = Rule {
    name: "mapFBeforePad",
    statement: "map(f) >> pad(l, r, b) = pad(l, r, b) >> map(f)",
    origin: "new: a border repeats elements, and f of a repeated element is a repeated f of it",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `pad` of a `map`";
        let (border @ Layout::Pad { .. }, mapped) = layout_of(redex.expr, WANTED, 0)? else {
            return Err(redex.is_not(WANTED));
        };
        let map = MapOf::read(mapped, WANTED, 1)?;
        let padded = build.layout(border.clone(), map.input.clone())?;
        of_elements_alone(map, padded, build)
    },
};

/// A border after the map that it stood before.
pub const PAD_BEFORE_MAP_F: Rule = Rule {
    name: "padBeforeMapF",
    statement: "pad(l, r, b) >> map(f) = map(f) >> pad(l, r, b)",
    origin: "new: as mapFBeforePad",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `map` of a `pad`";
        let map = MapOf::read(redex.expr, WANTED, 0)?;
        let (border @ Layout::Pad { .. }, array) = layout_of(map.input, WANTED, 1)? else {
            return Err(Mismatch::form(WANTED, map.input, 1));
        };
        let mapped = of_elements_alone(map, array.clone(), build)?;
        Ok(build.layout(border.clone(), mapped)?)
    },
};

/// The function of a map, which knows no position, mapped over another array.
fn of_elements_alone(map: MapOf<'_>, array: Arc<Expr>, build: &mut Build<'_>) -> Right {
    if map.is_position_mentioned_in(map.body()) {
        return Err(Mismatch::condition("a function that knows no position", map.body()));
    }
    build.map_at(MapKind::Unspecified, array, &map.parameter.name, |build, position, element| {
        map.apply(build, position, element)
    })
}

/// Windows that roll through registers.
pub const MAP_SEQ_SLIDE: Rule = Rule {
    name: "mapSeqSlide",
    statement: "slide(n, s) >> map(f) = mapSeqSlide(f, n, s)",
    origin: "Lift, stencil rules (mapSeqSlide)",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `map` or `mapSeq` of a `slide`";
        let ExprKind::Map(MapKind::Unspecified | MapKind::Sequential, function, input) = &redex.expr.kind
        else {
            return Err(redex.is_not(WANTED));
        };
        Windows::read(input, WANTED, 1)?;
        Ok(build.map(MapKind::Sliding, function.clone(), input.clone())?)
    },
};

/// Arrays side by side, before windows share their elements.
pub const SLIDE_OUTSIDE_ZIP: Rule = Rule {
    name: "slideOutsideZip",
    statement: "zip(slide(n, 1, a), slide(m, 1, b), c) >> map(f) = \
                zip(a, pad(n - m, 0, clamp, b), pad(n - 1, 0, clamp, c)) >> slide(n, 1) >> \
                map(|w| (w >> map(.0), w >> map(.1) >> slice(n - m, m), w >> map(.2) >> at(n - 1)) >> f), \
                where m <= n",
    origin: "SHINE (slideOutsideZip); for shorter windows and for elements: new",
    parameters: &[],
    regroups: false,
    apply: slide_outside_zip,
};

fn slide_outside_zip(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Right {
    let stencil = Stencil::read(redex.expr, 1)?;
    let [map] = stencil.nest.maps.as_slice() else { return Err(Mismatch::Arguments) };
    if !stencil.nest.is_zip {
        return Err(Mismatch::form("a `zip` of windows and other arrays", map.input, 1));
    }
    let longest = longest_windows(&stencil).ok_or_else(|| {
        Mismatch::condition("windows begin at every element, and one is the longest", map.input)
    })?;
    // What is shorter ends where the longest windows end.
    let before = |size: &Nat| &longest - size;
    let arrays = stencil.parts.iter().map(|part| {
        let (size, array) = part.length_and_array();
        let left = before(&size);
        if left.is_zero() {
            return Ok(array.clone());
        }
        build.layout(Layout::Pad { left, right: Nat::zero(), boundary: Boundary::Clamp }, array.clone())
    });
    let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
    let zipped = build.zip(arrays)?;
    let slid = build.slide(&longest, &Nat::one(), zipped)?;
    build.map_at(MapKind::Unspecified, slid, "window", |build, position, window| {
        let mut parts = Vec::new();
        for (number, part) in stencil.parts.iter().enumerate() {
            let of_part = |build: &mut Build<'_>, window| {
                build.map_over(window, "x", |build, x| Ok::<_, Mismatch>(build.component(&x, number)?))
            };
            let start = before(&part.length_and_array().0);
            parts.push(match part {
                Part::Windows(..) if start.is_zero() => of_part(build, window.clone())?,
                Part::Windows(..) => {
                    let length = &longest - &start;
                    let end = build.layout(Layout::Slice { start, length }, window.clone())?;
                    of_part(build, end)?
                }
                Part::Elements(_) => {
                    let last = build.at(start, window.clone())?;
                    build.component(&last, number)?
                }
            });
        }
        stencil.nest.apply_to_parts(std::slice::from_ref(position), parts, build)
    })
}

/// The length of the longest windows, where all windows begin at every element.
fn longest_windows(stencil: &Stencil<'_>) -> Option<Nat> {
    let mut lengths = Vec::new();
    for part in &stencil.parts {
        if let Part::Windows(Grid(windows), _) = part {
            let [windows] = windows.as_slice() else { return None };
            lengths.push((windows.step == Nat::one()).then_some(&windows.size)?);
        }
    }
    let is_longest = |length: &&&Nat| {
        lengths.iter().all(|other| (**length - *other).as_constant().is_some_and(|more| more >= 0))
    };
    lengths.iter().find(is_longest).map(|longest| (*longest).clone())
}

/// A stencil that reads each element once: the results of all windows are accumulated side by side.
pub const INPUT_STATIONARY: Rule = Rule {
    name: "inputStationary",
    statement: "slide(n, s) >> map(|w| reduce(f, z, w)) \
                = reduce(|accs, i => x| map(|r => acc| \
                if s * r <= i && i < s * r + n { f(acc, x) } else { acc }, accs), repeat(R, z)), \
                where R is the number of windows; what follows each reduction follows all of them",
    origin: "new: each accumulator takes the elements of its window, in the order of the window",
    parameters: &[],
    regroups: false,
    apply: input_stationary,
};

fn input_stationary(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Right {
    const WANTED: &str = "a reduction of each window of a `slide`";
    let map = MapOf::read(redex.expr, WANTED, 0)?;
    let (windows, array) = Windows::read(map.input, WANTED, 1)?;
    let reduction = reduction_in(map.body()).ok_or_else(|| Mismatch::form(WANTED, map.body(), 1))?;
    let ExprKind::Reduce(kind, function, initial, reduced) = &reduction.kind else {
        return Err(Mismatch::form(WANTED, reduction, 1));
    };
    let is_reduction = |expr: &Arc<Expr>| Arc::ptr_eq(expr, reduction);
    if mentions_besides(map.body(), &is_reduction, map.parameter) {
        return Err(Mismatch::condition("windows are only reduced", map.body()));
    }
    let (parts, is_zip) = match &reduced.kind {
        ExprKind::Zip(parts) => (parts.as_slice(), true),
        _ => (std::slice::from_ref(reduced), false),
    };
    if !parts.iter().any(|part| is_variable(part, map.parameter)) {
        return Err(Mismatch::form("the window, or a `zip` with it", reduced, 2));
    }
    let other = |part: &&Arc<Expr>| !is_variable(part, map.parameter);
    if parts.iter().filter(other).any(|part| map.is_mentioned_in(part)) {
        return Err(Mismatch::condition("what is zipped with a window is the same for all windows", reduced));
    }
    if mentions(&function.body, map.parameter) || map.is_mentioned_in(initial) {
        return Err(Mismatch::condition("the reduction knows its window from the elements only", map.body()));
    }
    let count = build.array_type(redex.expr)?.length.clone();
    let initials = build.repeat(count, initial.clone())?;
    let ty = initials.ty.clone();
    let each = build.accumulation_at(["accumulators", "x"], &ty, array, |build, i, accumulators, x| {
        let next = build.map_at(
            MapKind::Unspecified,
            accumulators.clone(),
            "accumulator",
            |build, r, accumulator| {
                let start = &windows.step * r;
                let (after, before) =
                    (Condition::LessOrEqual(start.clone(), i.clone()), &start + &windows.size);
                let is_inside = after.and(Condition::Less(i.clone(), before.clone()));
                let outside = build.prover().enter_condition(&is_inside);
                let position = i - &start;
                let mut values = Vec::new();
                for part in parts {
                    values.push(match is_variable(part, map.parameter) {
                        true => x.clone(),
                        false => build.at(position.clone(), part.clone())?,
                    });
                }
                let (element, function) = match (is_zip, function.parameters.last(), values.pop()) {
                    (false, _, Some(element)) => (element, function.clone()),
                    (true, Some((variable, _)), Some(last)) => {
                        values.push(last);
                        let body = &mut |body: &Arc<Expr>| body.replace_components(variable, &values);
                        let function = function.with_body(body);
                        (build.tuple(values)?, function)
                    }
                    (_, _, None) | (true, None, _) => return Err(Mismatch::Arguments),
                };
                let taken = build.apply(&function, Some(&position), vec![accumulator.clone(), element])?;
                let taken = map.at_position(r, &taken);
                build.prover().leave_condition(outside, &is_inside)?;
                let not_before = compare(BinaryOperator::LessOrEqual, &start, i, build)?;
                let not_after = compare(BinaryOperator::Less, i, &before, build)?;
                let chosen = build.binary(BinaryOperator::And, not_before, not_after)?;
                Ok::<_, Mismatch>(build.choice(chosen, taken, accumulator)?)
            },
        )?;
        Ok::<_, Mismatch>(build.in_place_of(&accumulators, &next)?)
    })?;
    let results = build.reduce(*kind, each, initials, array.clone())?;
    if is_reduction(map.body()) {
        return Ok(results);
    }
    build.map_at(MapKind::Unspecified, results, "result", |_, r, result| {
        Ok(map.at_position(r, &replace_all(map.body(), &is_reduction, &result)))
    })
}

/// A comparison of two positions.
fn compare(operator: BinaryOperator, left: &Nat, right: &Nat, build: &mut Build<'_>) -> Right {
    let left = build.integer(left.clone(), ScalarType::U64)?;
    let right = build.integer(right.clone(), ScalarType::U64)?;
    Ok(build.binary(operator, left, right)?)
}
