//! Arrays of one element: a result that a group leaves in memory, and the value that it is.
//!
//! The hierarchy of work-items computes arrays, also where a group computes one value. These rules make an
//! array of a reduction and of what follows it, so that the whole is the rows of all groups, joined.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::{MapOf, replace_all};
use super::super::rule::{Argument, Redex, Rule};
use super::parts::{Reduction, identity, name, reduction, regroupable};
use crate::ir::nat::Nat;
use crate::ir::typed::alpha::alpha_eq;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Expr, ExprKind, Lambda, MapKind, Position};
use crate::middle::laws::Axioms;

type Right = Result<Arc<Expr>, Mismatch>;

/// The reduction of one element.
pub const REDUCE_OF_ONE: Rule = Rule {
    name: "reduceOfOne",
    statement: "reduce(op, z, a) = a >> map(|x| op(z, x)) >> head, for one element; \
                a >> head where z is the identity of op",
    origin: "ICFP 2015, section 3.1: `reduce` gives an array of one element there",
    parameters: &[],
    regroups: true,
    apply: reduce_of_one,
};

fn reduce_of_one(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Right {
    let Reduction { function, initial, array, .. } = reduction(redex)?;
    if !is_one(array, build) {
        return Err(Mismatch::condition("an array of one element", array));
    }
    let start = match regroupable(redex, Axioms::of_place(build)) {
        Ok((_, operator)) => operator.identity,
        Err(_) => None,
    };
    let starts_from_identity = match start {
        Some(start) => alpha_eq(identity(&start, &initial.ty, build)?.as_ref(), initial),
        None => false,
    };
    let combined = match starts_from_identity {
        true => array.clone(),
        false => {
            let element = name(function, 1);
            build.map_at(MapKind::Unspecified, array.clone(), element, |build, position, element| {
                let arguments = vec![initial.clone(), element];
                Ok::<_, Mismatch>(build.apply(function, Some(position), arguments)?)
            })?
        }
    };
    Ok(build.at(Nat::zero(), combined)?)
}

/// Values that are made of the one element of an array each are the rows of an array.
pub const MAP_OF_HEAD: Rule = Rule {
    name: "mapOfHead",
    statement: "map(|x| f(x, t >> head)) = map(|x| t >> map(|y| f(x, y))) >> join, for one element in t",
    origin: "CGO 2017, figure 7: the results of groups are arrays, which are joined",
    parameters: &[],
    regroups: false,
    apply: map_of_head,
};

fn map_of_head(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Right {
    let map = MapOf::read(redex.expr, MADE_OF_HEAD, 0)?;
    let function = Lambda { body: array_of(map.body(), build)?, ..map.function.clone() };
    let rows = build.map(MapKind::Unspecified, function, map.input.clone())?;
    Ok(build.join(rows)?)
}

const MADE_OF_HEAD: &str = "a `map` that makes something of the one element of an array";

/// The array of one value: `[x] >> map(f)` for a value `f(x)` that is made of the element of an array `[x]`.
/// For a `let`, that is the array that its body is made of, if there is one: then what the `let` binds is
/// computed once, before. Else it is the first array that a bound value is made of; what is bound before it
/// is computed once, before.
fn array_of(value: &Arc<Expr>, build: &mut Build<'_>) -> Right {
    let head = match &value.kind {
        ExprKind::Let { bindings, body } => match array_of(body, build) {
            Ok(array) => return Ok(build.bind_all(bindings.clone(), array)?),
            Err(_) if value.ty.is_element() => {
                let bound = bindings.iter().position(|binding| head_in(&binding.value, build).is_some());
                match bound {
                    Some(before) if before > 0 => {
                        let (before, others) = bindings.split_at(before);
                        let rest = build.bind_all(others.to_vec(), body.clone())?;
                        let array = array_of(&rest, build)?;
                        return Ok(build.bind_all(before.to_vec(), array)?);
                    }
                    _ => bindings.first().and_then(|first| head_in(&first.value, build)),
                }
            }
            Err(mismatch) => return Err(mismatch),
        },
        _ => {
            let head = head_in(value, build);
            if head.is_none()
                && let Some(place) = let_of_head(value, build)
                && let ExprKind::Let { bindings, body } = &place.kind
            {
                let value = replace_all(value, &|expr| Arc::ptr_eq(expr, place), body);
                let array = array_of(&value, build)?;
                return Ok(build.bind_all(bindings.clone(), array)?);
            }
            head
        }
    };
    let head = head.ok_or_else(|| Mismatch::form(MADE_OF_HEAD, value, 1))?;
    if Arc::ptr_eq(head.value, value) {
        return Ok(head.array.clone());
    }
    build.map_over(head.array.clone(), "value", |_, element| {
        Ok(replace_all(value, &|expr| Arc::ptr_eq(expr, head.value), &element))
    })
}

/// A value is the one element of an array.
pub const VALUE_TO_ARRAY: Rule = Rule {
    name: "valueToArray",
    statement: "x = [x] >> head, for an element x",
    origin: "new: as reduceToArray, for what is made of several reductions",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        if !redex.expr.ty.is_element() {
            return Err(redex.is_not("a scalar, a vector or a tuple of them"));
        }
        let array = build.expr(ExprKind::ArrayLiteral(vec![redex.expr.clone()]))?;
        Ok(build.at(Nat::zero(), array)?)
    },
};

/// The array of the one element of an array.
pub const ARRAY_OF_HEAD: Rule = Rule {
    name: "arrayOfHead",
    statement: "[a >> head] = a, for one element in a",
    origin: "new: an array is its elements",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        const WANTED: &str = "an array literal of the one element of an array";
        let ExprKind::ArrayLiteral(elements) = &redex.expr.kind else { return Err(redex.is_not(WANTED)) };
        let [element] = elements.as_slice() else { return Err(redex.is_not(WANTED)) };
        match &element.kind {
            ExprKind::At(Position::Size(_), array) if is_one(array, build) => Ok(array.clone()),
            _ => Err(Mismatch::form(WANTED, element, 1)),
        }
    },
};

/// A reduction of an array becomes a reduction of the only row of a matrix.
pub const REDUCE_IN_ONE_ROW: Rule = Rule {
    name: "reduceInOneRow",
    statement: "reduce(f, z, a) = a >> split(len(a)) >> map(|row| reduce(f, z, row)) >> head",
    origin: "ICFP 2015, section 4.1: the last of several partial reductions is that of one group",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        let Reduction { kind, function, initial, array } = reduction(redex)?;
        let of = build.array_type(array)?;
        let rows = build.split(&of.length, array.clone())?;
        let reduced = build.map_over(rows, "row", |build, row| {
            Ok::<_, Mismatch>(build.reduce(kind, function.clone(), initial.clone(), row)?)
        })?;
        Ok(build.at(Nat::zero(), reduced)?)
    },
};

fn is_one(array: &Expr, build: &Build<'_>) -> bool {
    let length = array.ty.as_array().map(|array| build.simplified(&array.length));
    length.and_then(|length| length.as_constant()) == Some(1)
}

/// The element of an array of one element.
struct Head<'e> {
    /// The element.
    value: &'e Arc<Expr>,
    array: &'e Arc<Expr>,
}

/// An operand that is a `let` whose body is made of such an element: what it binds may be bound before the
/// operator.
fn let_of_head<'e>(expr: &'e Arc<Expr>, build: &Build<'_>) -> Option<&'e Arc<Expr>> {
    operands(expr).find_map(|operand| match &operand.kind {
        ExprKind::Let { body, .. } => head_in(body, build).map(|_| operand),
        _ => let_of_head(operand, build),
    })
}

/// The operands of an operator.
fn operands(expr: &Expr) -> impl Iterator<Item = &Arc<Expr>> {
    let is_operator = matches!(
        expr.kind,
        ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Builtin(..)
            | ExprKind::Function(..)
            | ExprKind::Cast(..)
            | ExprKind::Tuple(_)
            | ExprKind::Component(..)
    );
    expr.children().filter(move |_| is_operator)
}

/// The first one in an expression that is computed once, whatever else the expression computes.
fn head_in<'e>(expr: &'e Arc<Expr>, build: &Build<'_>) -> Option<Head<'e>> {
    match &expr.kind {
        ExprKind::At(Position::Size(_), array) if is_one(array, build) => Some(Head { value: expr, array }),
        _ => operands(expr).find_map(|operand| head_in(operand, build)),
    }
}
