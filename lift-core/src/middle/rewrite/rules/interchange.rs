//! Interchange: the loops over two arrays change places.
//!
//! The inner array may depend on the element of the outer one or not, and so may each part of a `zip` of
//! arrays. Every part is treated for itself ([`Crossed`]): one that does not depend on the outer element is
//! walked over once, and of one that does, the columns are. So there is one rule for each of map and reduce,
//! where the literature has a rule for each combination (Lift's `mapMapInterchange`, `mapReduceInterchange`
//! and their variants with zips outside and inside; SHINE's six shapes of `liftReduce`).
//!
//! What a function computes for two elements is computed as often as before. What is computed for one element
//! alone may be computed for each of the other array: who wants it stored says so first.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapMapOf, MapOf, is_variable, mentions_besides, replace_all};
use super::super::rule::{Argument, Redex, Rule};
use super::movement::each_of_columns;
use crate::ir::nat::Nat;
use crate::ir::typed::binders::mentions;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, ExprKind, Lambda, MapKind, is_same_place};

type Right = Result<Arc<Expr>, Mismatch>;

/// Two maps change places.
pub const MAP_MAP_INTERCHANGE: Rule = Rule {
    name: "mapMapInterchange",
    statement: "map(|a| map(|b| f(a, b), B), A) = transpose(map(|b| map(|a| f(a, b), A), B)); \
                where B mentions a, its columns take its place",
    origin: "GPGPU 2016 (mapMapInterchange), for all shapes of B",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "a `map` whose function is a `map`";
        let outer = MapOf::read(redex.expr, WANTED, 0)?;
        let inner = MapOf::read(outer.body(), WANTED, 1)?;
        let crossed = Crossed::new(outer, inner.function, inner.input);
        let columns = crossed.columns(build)?;
        let name = &inner.parameter.name;
        let swapped = build.map_at(MapKind::Unspecified, columns, name, |build, j, column| {
            crossed.each(None, &column, build, |build, function, values| {
                Ok(build.apply(function, Some(j), values)?)
            })
        })?;
        Ok(build.transpose(swapped)?)
    },
};

/// Both dimensions change places before a function of single elements and after it.
pub const TRANSPOSE_BOTH_SIDES: Rule = Rule {
    name: "transposeBothSides",
    statement: "map(map(f)) = transpose >> map(map(f)) >> transpose",
    origin: "Lift, interchange rules (transposeBothSides)",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        let map = MapMapOf::read(redex.expr, 0)?;
        let columns = build.transpose(map.input().clone())?;
        let mapped = each_of_columns(map, columns, build)?;
        Ok(build.transpose(mapped)?)
    },
};

/// Reductions side by side become one, whose accumulator is an array.
pub const MAP_REDUCE_INTERCHANGE: Rule = Rule {
    name: "mapReduceInterchange",
    statement: "map(|a| reduce(f, z, B), A) = \
                reduce(|accs, b| map(|(acc, a)| f(acc, b), zip(accs, A)), map(|a| z, A), B); \
                where B mentions a, its columns take its place; \
                what follows each reduction follows all of them",
    origin: "GPGPU 2016 (mapReduceInterchange); ICFP 2020 (liftReduce); for all shapes of B",
    parameters: &[],
    regroups: false,
    apply: map_reduce_interchange,
};

fn map_reduce_interchange(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Right {
    const WANTED: &str = "a `map` whose function reduces an array";
    let outer = MapOf::read(redex.expr, WANTED, 0)?;
    let reduction = reduction_in(outer.body()).ok_or_else(|| Mismatch::form(WANTED, outer.body(), 1))?;
    let ExprKind::Reduce(kind, function, initial, array) = &reduction.kind else {
        return Err(Mismatch::form(WANTED, reduction, 1));
    };
    let crossed = Crossed::new(outer, function, array);
    let columns = crossed.columns(build)?;
    let initials = crossed.initials(initial, build)?;
    let names = ["accumulators", "column"];
    let ty = initials.ty.clone();
    let each = build.accumulation_at(names, &ty, &columns, |build, j, accumulators, column| {
        let next = crossed.each(Some(&accumulators), &column, build, |build, function, values| {
            Ok(build.apply(function, Some(j), values)?)
        })?;
        // The accumulators keep their type, however the function writes it.
        Ok::<_, Mismatch>(build.in_place_of(&accumulators, &next)?)
    })?;
    let reduced = build.reduce(*kind, each, initials, columns)?;
    match is_same_place(reduction, outer.body()) {
        true => Ok(reduced),
        false => followed(&crossed, reduction, reduced, build),
    }
}

/// The reduction whose result the body of a function goes on with: the first that is computed once, whatever
/// the body binds or decides.
pub(super) fn reduction_in(body: &Arc<Expr>) -> Option<&Arc<Expr>> {
    match &body.kind {
        ExprKind::Reduce(..) => Some(body),
        ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Builtin(..)
        | ExprKind::Function(..)
        | ExprKind::Cast(..)
        | ExprKind::Tuple(_)
        | ExprKind::Component(..)
        | ExprKind::Zip(_)
        | ExprKind::Layout(..) => body.children().find_map(reduction_in),
        // What it maps is computed once; what its function computes is not.
        ExprKind::Map(_, _, input) => reduction_in(input),
        _ => None,
    }
}

/// What followed a reduction in the body of a function, for the results of all.
fn followed(
    crossed: &Crossed<'_>,
    reduction: &Arc<Expr>,
    results: Arc<Expr>,
    build: &mut Build<'_>,
) -> Right {
    let outer = crossed.outer;
    let is_reduction = |expr: &Arc<Expr>| Arc::ptr_eq(expr, reduction);
    let needs_element = mentions_besides(outer.body(), &is_reduction, outer.parameter);
    let array = match needs_element {
        true => {
            let elements = build.copy(outer.input);
            build.zip(vec![results, elements])?
        }
        false => results,
    };
    build.map_at(MapKind::Unspecified, array, "result", |build, i, found| {
        let (result, element) = match needs_element {
            true => (build.component(&found, 0)?, Some(build.component(&found, 1)?)),
            false => (found, None),
        };
        let body = replace_all(outer.body(), &is_reduction, &result);
        Ok(crossed.at(i, element.as_ref(), &body))
    })
}

/// An array that the function of a map walks over, seen from the other side: by the elements of this array
/// first.
struct Crossed<'e> {
    /// The map around.
    outer: MapOf<'e>,
    /// The function that is applied to the elements of the array.
    function: &'e Lambda,
    /// The arrays that are zipped, or the one array.
    parts: Vec<Part<'e>>,
    /// Whether they are zipped.
    is_zip: bool,
}

/// A part of a crossed array.
enum Part<'e> {
    /// It is the same for all elements of the outer array.
    Shared(&'e Arc<Expr>),
    /// Each element of the outer array has its own.
    OfElement(&'e Arc<Expr>),
}

impl<'e> Crossed<'e> {
    fn new(outer: MapOf<'e>, function: &'e Lambda, array: &'e Arc<Expr>) -> Crossed<'e> {
        let part = |array: &'e Arc<Expr>| match outer.is_mentioned_in(array) {
            true => Part::OfElement(array),
            false => Part::Shared(array),
        };
        match &array.kind {
            ExprKind::Zip(arrays) => {
                Crossed { outer, function, parts: arrays.iter().map(part).collect(), is_zip: true }
            }
            _ => Crossed { outer, function, parts: vec![part(array)], is_zip: false },
        }
    }

    /// The array that is walked over first: of each part the array itself, or the columns of the arrays of
    /// all outer elements.
    fn columns(&self, build: &mut Build<'_>) -> Right {
        let mut columns = Vec::new();
        for part in &self.parts {
            columns.push(match part {
                Part::Shared(array) => Arc::clone(array),
                Part::OfElement(array) => {
                    let rows = self.of_all_elements(array, build)?;
                    build.transpose(rows)?
                }
            });
        }
        self.zipped(columns, build)
    }

    fn zipped(&self, mut arrays: Vec<Arc<Expr>>, build: &mut Build<'_>) -> Right {
        match (self.is_zip, arrays.pop()) {
            (false, Some(array)) => Ok(array),
            (_, last) => {
                arrays.extend(last);
                Ok(build.zip(arrays)?)
            }
        }
    }

    /// What an expression of the outer function is for all elements of the outer array.
    fn of_all_elements(&self, expr: &Arc<Expr>, build: &mut Build<'_>) -> Right {
        let elements = build.copy(self.outer.input);
        if is_variable(expr, self.outer.parameter) {
            return Ok(elements);
        }
        build.map_at(MapKind::Unspecified, elements, &self.outer.parameter.name, |_, i, element| {
            Ok(self.at(i, Some(&element), expr))
        })
    }

    /// The initial values of all accumulators.
    fn initials(&self, initial: &Arc<Expr>, build: &mut Build<'_>) -> Right {
        match self.outer.is_mentioned_in(initial) {
            true => self.of_all_elements(initial, build),
            false => {
                let count = build.array_type(self.outer.input)?.length.clone();
                Ok(build.repeat(count, initial.clone())?)
            }
        }
    }

    /// The outer function's expression for an outer element and its position.
    fn at(&self, position: &Nat, element: Option<&Arc<Expr>>, expr: &Arc<Expr>) -> Arc<Expr> {
        let expr = match element {
            Some(element) => expr.replace(self.outer.parameter, element),
            None => expr.clone(),
        };
        self.outer.at_position(position, &expr)
    }

    /// The function applied for all outer elements, to one element of the [`columns`](Self::columns). `apply`
    /// is given the function, and its values: the accumulator, where there are any, and the element.
    fn each(
        &self,
        accumulators: Option<&Arc<Expr>>,
        column: &Arc<Expr>,
        build: &mut Build<'_>,
        apply: impl FnOnce(&mut Build<'_>, &Lambda, Vec<Arc<Expr>>) -> Right,
    ) -> Right {
        let width = self.parts.len();
        let mut of_column = Vec::new();
        for position in 0..width {
            of_column.push(match self.is_zip {
                true => build.component(column, position)?,
                false => column.clone(),
            });
        }
        // What differs between the outer elements stands side by side.
        let own = |part: &Part<'_>| matches!(part, Part::OfElement(_));
        let mut beside: Vec<Arc<Expr>> = accumulators.into_iter().cloned().collect();
        let columns = self.parts.iter().zip(&of_column).filter(|(part, _)| own(part));
        beside.extend(columns.map(|(_, column)| column.clone()));
        let needs_element = mentions(&self.function.body, self.outer.parameter);
        if needs_element || beside.is_empty() {
            beside.push(build.copy(self.outer.input));
        }
        let count = beside.len();
        let array = match count {
            1 => beside.remove(0),
            _ => build.zip(beside)?,
        };
        build.map_at(MapKind::Unspecified, array, &self.outer.parameter.name, |build, i, lane| {
            let mut lanes = Vec::new();
            for position in 0..count {
                lanes.push(match count {
                    1 => lane.clone(),
                    _ => build.component(&lane, position)?,
                });
            }
            let outer_element = if needs_element { lanes.pop() } else { None };
            let mut lanes = lanes.into_iter();
            let mut values: Vec<Arc<Expr>> = accumulators.and_then(|_| lanes.next()).into_iter().collect();
            let mut parts = Vec::new();
            for (part, shared) in self.parts.iter().zip(&of_column) {
                parts.push(match part {
                    Part::Shared(_) => shared.clone(),
                    Part::OfElement(_) => lanes.next().ok_or(Mismatch::Arguments)?,
                });
            }
            let function = self.of_parts(&parts);
            values.push(match self.is_zip {
                true => build.tuple(parts)?,
                false => parts.pop().ok_or(Mismatch::Arguments)?,
            });
            let applied = apply(build, &function, values)?;
            Ok(self.at(i, outer_element.as_ref(), &applied))
        })
    }

    /// The function where the components of a zipped element are written out.
    fn of_parts(&self, parts: &[Arc<Expr>]) -> Lambda {
        match self.function.parameters.last() {
            Some((element, _)) if self.is_zip => {
                self.function.with_body(&mut |body| body.replace_components(element, parts))
            }
            _ => self.function.clone(),
        }
    }
}
