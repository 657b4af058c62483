//! A choice between arrays is made for each element. `chooseElements` takes any arrays; `mapOutsideIf`
//! takes a `map` in the first branch, and puts the `if` into its function.
//!
//! What a branch computes stays what it is: an array that is delayed is computed only for the elements that
//! are read, and only where its branch is chosen. Where a condition says nothing about sizes, both arrays
//! exist whatever it says. `chooseElements` gives them names before the choice: an array that has to be
//! complete before it is read can then be stored there. Where a condition compares sizes, an array may
//! exist only in its branch. `chooseElements` leaves it there, and `mapOutsideIf` does not apply.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::MapOf;
use super::super::rule::{Argument, Redex, Rule};
use crate::ir::typed::alpha::alpha_eq;
use crate::ir::typed::build::{Build, Built};
use crate::ir::typed::result::Judge;
use crate::ir::typed::{Expr, ExprKind, MapKind};
use crate::ir::types::Type;

/// An `if` between arrays is an array of `if`s between elements.
pub const CHOOSE_ELEMENTS: Rule = Rule {
    name: "chooseElements",
    statement: "if c { x } else { y } = generate(n, |i| if c { x >> at(i) } else { y >> at(i) }), for x, y: \
                [A; n]",
    origin: "if-conversion (Allen, Kennedy, Porterfield, Warren, POPL 1983)",
    parameters: &[],
    regroups: false,
    apply: choose_elements,
};

fn choose_elements(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::If(condition, then, otherwise) = &redex.expr.kind else {
        return Err(redex.is_not("an `if`"));
    };
    if then.ty.is_element() {
        return Err(Mismatch::form("an `if` between arrays", redex.expr, 1));
    }
    let ranges = build.ranges().clone();
    if !build.prover().are_equal(&then.ty, &otherwise.ty, &ranges) {
        return Err(Mismatch::condition("the branches have one type for all sizes", redex.expr));
    }
    if condition.size_condition().is_none() {
        return build.shared("condition", condition.clone(), |build, condition| {
            let choice = Choice { condition: &condition, both_exist: true };
            choice.between_bound([then, otherwise], [true, true], build)
        });
    }
    // What a branch needs may hold for all sizes.
    let hold = [build.needs_nothing(then), build.needs_nothing(otherwise)];
    let choice = Choice { condition, both_exist: hold == [true, true] };
    choice.between_bound([then, otherwise], hold, build)
}

/// A `map` in one branch, outside of the `if`.
pub const MAP_OUTSIDE_IF: Rule = Rule {
    name: "mapOutsideIf",
    statement: "if c { zip(a, …) >> map(f) } else { b } = zip(a, …, b) >> map(|(x, …, y)| if c { f(x, …) } else { y }); \
                where b is one of the arrays already, it stays where it is",
    origin: "if-conversion (Allen, Kennedy, Porterfield, Warren, POPL 1983)",
    parameters: &[],
    regroups: false,
    apply: map_outside_if,
};

fn map_outside_if(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    const WANTED: &str = "an `if` whose first branch is a `map`";
    let ExprKind::If(condition, then, otherwise) = &redex.expr.kind else {
        return Err(redex.is_not(WANTED));
    };
    let map = MapOf::read(then, WANTED, 1)?;
    if condition.size_condition().is_none() {
        return build.shared("condition", condition.clone(), |build, condition| {
            mapped_outside(map, &condition, otherwise, build)
        });
    }
    // Where sizes are compared, a branch may need what holds only there.
    for array in [map.input, otherwise] {
        if !build.needs_nothing(array) {
            return Err(Mismatch::condition("both arrays exist whatever is chosen", array));
        }
    }
    mapped_outside(map, condition, otherwise, build)
}

/// The map of the elements that it takes or of the other ones, as a condition says.
fn mapped_outside(
    map: MapOf<'_>,
    condition: &Arc<Expr>,
    otherwise: &Arc<Expr>,
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let is_zip = matches!(map.input.kind, ExprKind::Zip(_));
    let mut arrays = match &map.input.kind {
        ExprKind::Zip(parts) => parts.clone(),
        _ => vec![map.input.clone()],
    };
    let own = arrays.len();
    let other = arrays.iter().position(|array| alpha_eq(array, otherwise)).unwrap_or(own);
    if other == own {
        arrays.push(otherwise.clone());
    }
    let count = arrays.len();
    let elements = if count == 1 { arrays.remove(0) } else { build.zip(arrays)? };
    build.map_at(MapKind::Unspecified, elements, &map.parameter.name, |build, position, element| {
        let part = |build: &mut Build<'_>, number| match count {
            1 => Ok(element.clone()),
            _ => build.component(&element, number),
        };
        let kept = part(build, other)?;
        let taken = match (is_zip, other == own) {
            (true, false) => element.clone(),
            (true, true) => {
                let parts = (0..own).map(|number| part(build, number)).collect::<Result<_, _>>()?;
                build.tuple(parts)?
            }
            (false, _) => part(build, 0)?,
        };
        let then = map.apply(build, position, taken)?;
        let condition = build.copy(condition);
        Ok::<_, Mismatch>(build.choice(condition, then, kept)?)
    })
}

/// A choice.
struct Choice<'e> {
    condition: &'e Arc<Expr>,
    /// Whether both branches may be computed whatever is chosen.
    both_exist: bool,
}

impl Choice<'_> {
    /// The choice between two arrays. A branch gets a name if it may be computed before the choice.
    fn between_bound(
        &self,
        [then, otherwise]: [&Arc<Expr>; 2],
        [then_exists, otherwise_exists]: [bool; 2],
        build: &mut Build<'_>,
    ) -> Result<Arc<Expr>, Mismatch> {
        bound_if(then_exists, "then", then, build, |build, then| {
            bound_if(otherwise_exists, "otherwise", otherwise, build, |build, otherwise| {
                Ok(chosen(self, &then, &otherwise, build)?)
            })
        })
    }
}

/// An expression built from a branch, which gets a name if it may be computed before the choice.
fn bound_if(
    may_be_bound: bool,
    name: &str,
    branch: &Arc<Expr>,
    build: &mut Build<'_>,
    body: impl FnOnce(&mut Build<'_>, Arc<Expr>) -> Result<Arc<Expr>, Mismatch>,
) -> Result<Arc<Expr>, Mismatch> {
    match may_be_bound {
        true => build.shared(name, branch.clone(), body),
        false => body(build, branch.clone()),
    }
}

/// The choice between two values of one type, made for each element. Where both exist whatever is chosen,
/// rows are made once, and not for each of their elements.
fn chosen(choice: &Choice<'_>, then: &Arc<Expr>, otherwise: &Arc<Expr>, build: &mut Build<'_>) -> Built {
    match &then.ty {
        Type::Array(of) if choice.both_exist && !of.element.is_element() => {
            let rows = build.zip(vec![then.clone(), otherwise.clone()])?;
            build.map_over(rows, "rows", |build, rows| {
                let (then, otherwise) = (build.component(&rows, 0)?, build.component(&rows, 1)?);
                chosen(choice, &then, &otherwise, build)
            })
        }
        Type::Array(of) => {
            let name = of.index.as_ref().map_or("i", |index| index.name());
            let function = build.lambda_at(
                name,
                &of.length,
                |_| [],
                |build, position, []| {
                    let then = build.at(position.clone(), then.clone())?;
                    let otherwise = build.at(position.clone(), otherwise.clone())?;
                    chosen(choice, &then, &otherwise, build)
                },
            )?;
            build.generate(of.length.clone(), function)
        }
        Type::Tuple(parts) if !then.ty.is_element() => {
            let choose = |position: usize| {
                let then = component(then, position, build)?;
                let otherwise = component(otherwise, position, build)?;
                chosen(choice, &then, &otherwise, build)
            };
            let parts = (0..parts.len()).map(choose).collect::<Result<_, _>>()?;
            build.tuple(parts)
        }
        Type::Scalar(_) | Type::Vector(..) | Type::Size | Type::Tuple(_) => {
            let condition = build.copy(choice.condition);
            build.choice(condition, then.clone(), otherwise.clone())
        }
    }
}

/// A component of a tuple that is mentioned for each of them.
fn component(tuple: &Arc<Expr>, position: usize, build: &mut Build<'_>) -> Built {
    let tuple = if position == 0 { tuple.clone() } else { build.copy(tuple) };
    build.component(&tuple, position)
}
