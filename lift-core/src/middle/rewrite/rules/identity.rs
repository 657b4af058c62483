//! Identities: rules that add or remove what computes nothing, name what is computed, and apply functions to
//! what is known of their arguments.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::parts::{inner, map, place, size};
use crate::ir::nat::Nat;
use crate::ir::typed::alpha::alpha_eq;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Binding, Expr, ExprKind, Layout, Variable};

/// A map that changes nothing is removed.
pub const MAP_ID: Rule = Rule {
    name: "mapId",
    statement: "map(|x| x) = id",
    origin: "ICFP 2015, section 4.1 (the identity)",
    parameters: &[],
    regroups: false,
    apply: map_id,
};

/// A map that changes nothing is added: the inverse of mapId.
pub const ID_MAP: Rule = Rule {
    name: "idMap",
    statement: "a = a >> map(|x| x)",
    origin: "ICFP 2015, section 4.1 (the identity)",
    parameters: &[],
    regroups: false,
    apply: id_map,
};

/// A function that is applied no time is removed.
pub const ITERATE_ZERO: Rule = Rule {
    name: "iterateZero",
    statement: "iterate(0, f) = id",
    origin: "ICFP 2015, section 4.1",
    parameters: &[],
    regroups: false,
    apply: iterate_zero,
};

/// A function that is applied once is applied.
pub const ITERATE_ONE: Rule = Rule {
    name: "iterateOne",
    statement: "iterate(1, f) = f",
    origin: "ICFP 2015, section 4.1",
    parameters: &[],
    regroups: false,
    apply: iterate_one,
};

/// Each mention of a variable is replaced by its value. The argument says which of the variables,
/// from 0.
pub const LET_INLINE: Rule = Rule {
    name: "letInline",
    statement: "{ let v = x; f(v) } = f(x)",
    origin: "Lift's lambdaInline",
    parameters: &[Kind::Size],
    regroups: false,
    apply: let_inline,
};

/// An expression at a place inside gets a name, and is computed once for all places where it stands.
pub const LET_INTRODUCE: Rule = Rule {
    name: "letIntroduce",
    statement: "f(x) = { let v = x; f(v) }",
    origin: "Shine's subexpressionElimination",
    parameters: &[Kind::Place],
    regroups: false,
    apply: let_introduce,
};

/// An array is zipped once.
pub const ZIP_SAME: Rule = Rule {
    name: "zipSame",
    statement: "zip(a, a) = map(|x| (x, x), a), zip(a, b, a) = zip(a, b) >> map(|(x, y)| (x, y, x))",
    origin: "Lift's removeDuplicateZipArg",
    parameters: &[],
    regroups: false,
    apply: zip_same,
};

/// A component of a tuple that is written out.
pub const COMPONENT_OF_TUPLE: Rule = Rule {
    name: "componentOfTuple",
    statement: "(x, y).0 = x",
    origin: "Lift's tupleInline",
    parameters: &[],
    regroups: false,
    apply: component_of_tuple,
};

/// Arrays that are zipped and taken apart.
pub const UNZIP_ZIP: Rule = Rule {
    name: "unzipZip",
    statement: "zip(a, b) >> unzip = (a, b)",
    origin: "Shine's unzipZip",
    parameters: &[],
    regroups: false,
    apply: unzip_zip,
};

/// A map of an array whose elements are written out.
pub const MAP_OF_LITERAL: Rule = Rule {
    name: "mapOfLiteral",
    statement: "map(f, [x, y]) = [f(x), f(y)]",
    origin: "Shine's mapOutsideMakeArray",
    parameters: &[],
    regroups: false,
    apply: map_of_literal,
};

/// A map of an array whose elements are one.
pub const MAP_OF_REPEAT: Rule = Rule {
    name: "mapOfRepeat",
    statement: "map(f, repeat(n, x)) = repeat(n, f(x))",
    origin: "new: f has one value for all elements",
    parameters: &[],
    regroups: false,
    apply: map_of_repeat,
};

/// An array whose elements are one, rearranged.
pub const LAYOUT_OF_REPEAT: Rule = Rule {
    name: "layoutOfRepeat",
    statement: "repeat(n * m, x) >> split(m) = repeat(n, repeat(m, x)); the same for join, transpose, \
                asVector, gather, scatter and slice",
    origin: "new: wherever an element comes from, it is the one that all are",
    parameters: &[],
    regroups: false,
    apply: layout_of_repeat,
};

fn map_id(redex: &Redex<'_>, _: &[Argument], _: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let (function, array) = map(redex)?;
    match (function.parameters.as_slice(), &function.body.kind) {
        ([(parameter, _)], ExprKind::Variable(read)) if read.id == parameter.id => Ok(array.clone()),
        _ => Err(Mismatch::form("a `map` of the identity", &function.body, 1)),
    }
}

fn id_map(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    if redex.expr.ty.as_array().is_none() {
        return Err(redex.is_not("an array"));
    }
    build.map_over(redex.expr.clone(), "x", |_, element| Ok(element))
}

fn iterate_zero(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Iterate(count, _, array) = &redex.expr.kind else {
        return Err(redex.is_not("`iterate`"));
    };
    match build.simplified(count).as_constant() {
        Some(0) => Ok(array.clone()),
        _ => Err(Mismatch::condition("the function is applied no time", redex.expr)),
    }
}

fn iterate_one(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Iterate(count, function, array) = &redex.expr.kind else {
        return Err(redex.is_not("`iterate`"));
    };
    if function.may_end() {
        return Err(Mismatch::condition("the function is applied in any case", redex.expr));
    }
    match build.simplified(count).as_constant() {
        Some(1) => Ok(build.apply(function, Some(&Nat::zero()), vec![array.clone()])?),
        _ => Err(Mismatch::condition("the function is applied once", redex.expr)),
    }
}

fn let_inline(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let number = size(arguments)?;
    let ExprKind::Let { bindings, body } = &redex.expr.kind else { return Err(redex.is_not("a `let`")) };
    let number = number.as_constant().and_then(|number| usize::try_from(number).ok());
    let Some((number, Binding { variable, value })) =
        number.and_then(|number| Some((number, bindings.get(number)?)))
    else {
        return Err(Mismatch::form("a `let` with a variable of this number", redex.expr, 1));
    };
    let mut places = Places { variable, value, is_used: false };
    let mut kept: Vec<Binding> = bindings[..number].to_vec();
    for binding in &bindings[number + 1..] {
        kept.push(binding.with_value(places.inlined(&binding.value, build)));
    }
    let body = places.inlined(body, build);
    match kept.is_empty() {
        true => Ok(body),
        false => Ok(build.expr(ExprKind::bound(kept, body))?),
    }
}

/// The mentions of a variable, which are replaced by its value: the first one by the value itself, the
/// others by copies.
struct Places<'e> {
    variable: &'e Variable,
    value: &'e Arc<Expr>,
    is_used: bool,
}

impl Places<'_> {
    fn inlined(&mut self, expr: &Arc<Expr>, build: &mut Build<'_>) -> Arc<Expr> {
        match &expr.kind {
            ExprKind::Variable(read) if read.id == self.variable.id => {
                match std::mem::replace(&mut self.is_used, true) {
                    true => build.copy(self.value),
                    false => self.value.clone(),
                }
            }
            _ => expr.with_children(&mut |child| self.inlined(child, build)),
        }
    }
}

fn let_introduce(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let path = place(arguments)?;
    let value = inner(redex.expr, path)?;
    if path.positions().is_empty() {
        return Err(Mismatch::form("a place inside the expression", redex.expr, 1));
    }
    // It may stand in a function that is applied to no element.
    build.demand(value)?;
    let variable = build.variable("value");
    let read = build.read(&variable, &value.ty);
    let body = with_equal(redex.expr, value, &read);
    Ok(build.bind(variable, value.clone(), body)?)
}

/// The expression with all expressions replaced that are equal to a value. What these mention is not
/// bound inside the expression, because the value mentions the same.
fn with_equal(expr: &Arc<Expr>, value: &Expr, replacement: &Arc<Expr>) -> Arc<Expr> {
    match expr.ty == value.ty && alpha_eq(expr, value) {
        true => replacement.clone(),
        false => expr.with_children(&mut |child| with_equal(child, value, replacement)),
    }
}

fn zip_same(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Zip(arrays) = &redex.expr.kind else { return Err(redex.is_not("a `zip`")) };
    let mut different: Vec<Arc<Expr>> = Vec::new();
    let mut places = Vec::new();
    for array in arrays {
        let place = different.iter().position(|other| alpha_eq(other, array));
        places.push(place.unwrap_or(different.len()));
        if place.is_none() {
            different.push(array.clone());
        }
    }
    if different.len() == arrays.len() {
        return Err(Mismatch::condition("two of the arrays are equal", redex.expr));
    }
    match different.as_slice() {
        [array] => build.map_over(array.clone(), "x", |build, element| {
            Ok(build.tuple(places.iter().map(|_| element.clone()).collect())?)
        }),
        _ => {
            let zip = build.zip(different)?;
            build.map_over(zip, "x", |build, element| {
                let component = |place: &usize| build.component(&element, *place);
                let parts = places.iter().map(component).collect::<Result<_, _>>()?;
                Ok(build.tuple(parts)?)
            })
        }
    }
}

fn component_of_tuple(redex: &Redex<'_>, _: &[Argument], _: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Component(tuple, position) = &redex.expr.kind else {
        return Err(redex.is_not("a component of a tuple"));
    };
    match &tuple.kind {
        ExprKind::Tuple(parts) => parts.get(*position).cloned().ok_or(Mismatch::Arguments),
        _ => Err(Mismatch::form("a tuple that is written out", tuple, 1)),
    }
}

fn unzip_zip(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Unzip(zip) = &redex.expr.kind else { return Err(redex.is_not("`unzip`")) };
    match &zip.kind {
        ExprKind::Zip(arrays) => Ok(build.tuple(arrays.clone())?),
        _ => Err(Mismatch::form("`unzip` of a `zip`", zip, 1)),
    }
}

fn map_of_literal(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let (function, array) = map(redex)?;
    let ExprKind::ArrayLiteral(elements) = &array.kind else {
        return Err(Mismatch::form("a `map` of an array literal", array, 1));
    };
    let mut mapped = Vec::new();
    for (element, position) in elements.iter().zip(0..) {
        let position = Nat::constant(position);
        mapped.push(build.apply_copy(function, Some(&position), vec![element.clone()])?);
    }
    Ok(build.expr(ExprKind::ArrayLiteral(mapped))?)
}

fn map_of_repeat(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let (function, array) = map(redex)?;
    let ExprKind::Repeat(count, value) = &array.kind else {
        return Err(Mismatch::form("a `map` of `repeat`", array, 1));
    };
    if function.index.as_ref().is_some_and(|index| function.mentions_index(index)) {
        return Err(Mismatch::condition("the function mentions no position", &function.body));
    }
    let unused = Nat::zero();
    let value = build.apply(function, Some(&unused), vec![value.clone()])?;
    // There may be no element that the function was applied to.
    build.demand(&value)?;
    Ok(build.repeat(count.clone(), value)?)
}

fn layout_of_repeat(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Result<Arc<Expr>, Mismatch> {
    let ExprKind::Layout(layout, array) = &redex.expr.kind else { return Err(redex.is_not("a layout")) };
    let ExprKind::Repeat(_, value) = &array.kind else {
        return Err(Mismatch::form("a layout of `repeat`", array, 1));
    };
    let rows = |value: &Arc<Expr>| match &value.kind {
        ExprKind::Repeat(_, inner) => Ok(inner.clone()),
        _ => Err(Mismatch::form("`repeat` of `repeat`", value, 2)),
    };
    let of = build.array_type(redex.expr)?;
    let row = |build: &mut Build<'_>, value| match of.element.as_array() {
        Some(row) => Ok(build.repeat(row.length.clone(), value)?),
        None => Err(redex.is_not("a layout whose result has rows")),
    };
    let element = match layout {
        Layout::Split { .. } => row(build, value.clone())?,
        Layout::Transpose => row(build, rows(value)?)?,
        Layout::Join => rows(value)?,
        Layout::AsVector { width } => build.broadcast(value.clone(), *width)?,
        Layout::Gather(_) | Layout::Scatter(_) | Layout::Slice { .. } => value.clone(),
        _ => return Err(redex.is_not("a layout that takes elements from anywhere")),
    };
    Ok(build.repeat(of.length.clone(), element)?)
}
