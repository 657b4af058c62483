//! Separation: a map whose function binds values becomes a map that makes these for all elements, and a map
//! that reads them.
//!
//! As one map, a work-item computes everything for its element in order. As several, each has work-items for
//! all elements of what it makes. That takes memory: what one map makes, the next one reads, from an array.
//!
//! The right sides are made by [`Builder`]: they have the parts of the left sides and new `zip`s.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::recognise::is_variable;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::parts::{map, place};
use crate::ir::nat::{Nat, Substitution};
use crate::ir::typed::binders::{free_variables, parted, refreshed};
use crate::ir::typed::build::Build;
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, Variable};
use crate::ir::types::Type;
use crate::middle::stated::Builder;

/// What the function of a map binds has a map of its own. The place names the part of the `let`.
pub const MAP_LET_FISSION: Rule = Rule {
    name: "mapLetFission",
    statement: "map(|x| { let y = g(x); f(x, y) }, a) = { let ys = map(g, a) >> store; \
                zip(a, ys) >> map(|(x, y)| f(x, y)) }, for rows of one length",
    origin: "map fission (ICFP 2015, figure 3d); loop distribution",
    parameters: &[Kind::Place],
    regroups: false,
    apply: map_let_fission,
};

/// Single values that a `let` binds are bound together. The place lists the parts of the `let`: `0.2` are the
/// first and the third. What stands between them is computed for both, and for what follows.
pub const LET_TOGETHER: Rule = Rule {
    name: "letTogether",
    statement: "{ let x = e; let y = h(x); w(x, y) } = { let values = { let x = e; let y = h(x); (x, y) }; \
                w(values.0, values.1) }, { let x = e; w } = { let x = { let x = e; x }; w }",
    origin: "tupling (Pettorossi, LFP 1984)",
    parameters: &[Kind::Place],
    regroups: false,
    apply: let_together,
};

/// The array of a map is stored before the map.
pub const MAP_STORED: Rule = Rule {
    name: "mapStored",
    statement: "map(f, a) = { let elements = a >> store; map(f, elements) }, for an array a that is computed \
                or rearranged",
    origin: "`storeInMemory` of Shine (Steuwer et al., 2022)",
    parameters: &[],
    regroups: false,
    apply: map_stored,
};

type Right = Result<Arc<Expr>, Mismatch>;

/// Lets a builder make a right side, from the first number that is free.
fn built<T>(build: &mut Build<'_>, make: impl FnOnce(&mut Builder) -> T) -> T {
    build.prover().numbered(|next_id| {
        let mut builder = Builder { next_id: *next_id };
        let made = make(&mut builder);
        *next_id = builder.next_id;
        made
    })
}

fn map_stored(redex: &Redex<'_>, _: &[Argument], build: &mut Build<'_>) -> Right {
    let (function, array) = map(redex)?;
    if let ExprKind::Variable(_) = array.kind {
        return Err(Mismatch::form("an array that is computed or rearranged", array, 1));
    }
    Ok(built(build, |build| {
        let variable = build.variable("elements");
        let read = build.read(&variable, &array.ty, array.source);
        let stored = build.kept(array.clone());
        let rest = build.map(function.clone(), read);
        build.bind(variable, stored, rest)
    }))
}

fn let_together(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Right {
    let ExprKind::Let { bindings, body } = &redex.expr.kind else { return Err(redex.is_not("a `let`")) };
    let positions = place(arguments)?.positions();
    let is_in_order = positions.windows(2).all(|pair| pair[0] < pair[1]);
    let (Some(first), Some(last), true) = (positions.first(), positions.last(), is_in_order) else {
        return Err(Mismatch::Arguments);
    };
    let Some(between) = bindings.get(*first..=*last) else {
        return Err(Mismatch::form("a `let` with such parts", redex.expr, 1));
    };
    let parts: Vec<&Binding> = positions.iter().map(|position| &bindings[*position]).collect();
    if let Some(array) = parts.iter().find(|part| !part.value.ty.is_element()) {
        return Err(Mismatch::form("single values", &array.value, 1));
    }
    Ok(built(build, |build| {
        let read = |build: &mut Builder, part: &Binding| {
            build.read(&part.variable, &part.value.ty, part.value.source)
        };
        let reads: Vec<Arc<Expr>> = parts.iter().map(|part| read(build, part)).collect();
        let (name, value) = match reads.as_slice() {
            [one] => (&*parts[0].variable.name, one.clone()),
            _ => ("values", build.tuple(reads, parts[0].value.source)),
        };
        let value = build.bind_all(needed(between, &value), value);
        let value = refreshed(&value, &mut build.next_id);
        let together = build.variable(name);
        let whole = build.read(&together, &value.ty, value.source);
        let component = |build: &mut Builder, position: usize, part: &Binding| match parts.len() {
            1 => whole.clone(),
            _ => build.component(&whole, position, &part.value.ty),
        };
        let components: Vec<Arc<Expr>> =
            parts.iter().enumerate().map(|(position, part)| component(build, position, part)).collect();
        let with_components = |expr: &Arc<Expr>| {
            parts
                .iter()
                .zip(&components)
                .fold(expr.clone(), |expr, (part, component)| expr.replace(&part.variable, component))
        };
        let before = bindings.iter().take(*first).cloned();
        let after = bindings.iter().enumerate().skip(*first);
        let after = after.filter(|(position, _)| !positions.contains(position));
        let after: Vec<Binding> =
            after.map(|(_, binding)| binding.with_value(with_components(&binding.value))).collect();
        let body = with_components(body);
        // What stands between them may be needed by nothing else.
        let after = needed(&after, &body);
        let all = before.chain([Binding { variable: together, value }]).chain(after).collect();
        build.bind_all(all, body)
    }))
}

fn map_let_fission(redex: &Redex<'_>, arguments: &[Argument], build: &mut Build<'_>) -> Right {
    let (function, array) = map(redex)?;
    let ([(element, _)], ExprKind::Let { bindings, body }) =
        (function.parameters.as_slice(), &function.body.kind)
    else {
        return Err(Mismatch::form("a `map` whose function begins with a `let`", &function.body, 1));
    };
    let [position] = place(arguments)?.positions() else { return Err(Mismatch::Arguments) };
    let Some(own) = bindings.get(*position) else {
        return Err(Mismatch::form("a `let` with such a part", &function.body, 2));
    };
    let is_regular = |expr: &Expr| expr.ty.as_array().is_some_and(|array| array.index.is_none());
    let is_even = |index| !own.value.ty.mentions(index);
    if !is_regular(array) || !is_regular(redex.expr) || !function.index.as_ref().is_none_or(is_even) {
        return Err(Mismatch::condition("all rows have one length", redex.expr));
    }
    let value = match &own.value.kind {
        ExprKind::Store(None, value) => value,
        _ => &own.value,
    };
    let others: Vec<Binding> =
        bindings.iter().filter(|other| other.variable.id != own.variable.id).cloned().collect();
    let zipped = Zipped::of(array, element, &function.body);
    Ok(built(build, |build| {
        let computed = zipped.copy(build).map(function, &bindings[..*position], value, None, build);
        let all = build.variable(&own.variable.name);
        let read = build.read(&all, &computed.ty, computed.source);
        let rest = zipped.map(function, &others, body, Some((&own.variable, read)), build);
        let stored = build.kept(computed);
        build.bind(all, stored, rest)
    }))
}

/// The arrays of a map, each of which its function reads by itself.
struct Zipped<'e> {
    element: &'e Variable,
    /// The parts of a `zip`, or else one array.
    arrays: Vec<Arc<Expr>>,
}

impl<'e> Zipped<'e> {
    fn of(array: &Arc<Expr>, element: &'e Variable, body: &Arc<Expr>) -> Zipped<'e> {
        let arrays = match &array.kind {
            ExprKind::Zip(arrays) if reads_components(body, element) => arrays.clone(),
            _ => vec![array.clone()],
        };
        Zipped { element, arrays }
    }

    /// The same arrays for one more place, with names of their own.
    fn copy(&self, build: &mut Builder) -> Zipped<'e> {
        let arrays = self.arrays.iter().map(|array| refreshed(array, &mut build.next_id)).collect();
        Zipped { element: self.element, arrays }
    }

    /// The same map with another body, which begins with those of some `let`s that it needs. It is a map of
    /// the first array, and of those others that the body reads. `made` is a variable of the body that is the
    /// element of one more array.
    fn map(
        &self,
        function: &Lambda,
        before: &[Binding],
        body: &Arc<Expr>,
        made: Option<(&Variable, Arc<Expr>)>,
        build: &mut Builder,
    ) -> Arc<Expr> {
        let body = build.bind_all(needed(before, body), body.clone());
        let body = refreshed(&body, &mut build.next_id);
        let is_read = |position: usize| position == 0 || reads_component(&body, self.element, position);
        let read: Vec<usize> = (0..self.arrays.len()).filter(|position| is_read(*position)).collect();
        let made = made.filter(|(variable, _)| free_variables(&body).contains(*variable));
        let arrays = read.iter().map(|position| self.arrays[*position].clone());
        let arrays: Vec<Arc<Expr>> = arrays.chain(made.iter().map(|(_, array)| array.clone())).collect();
        let input = match arrays.as_slice() {
            [one] => one.clone(),
            _ => build.zip(arrays.clone()),
        };
        let of_array = |array: &Expr| array.ty.as_array().map_or(Type::Size, |array| array.element.clone());
        let parameter = build.variable(&self.element.name);
        let ty = of_array(&input);
        let whole = build.read(&parameter, &ty, input.source);
        let part = |build: &mut Builder, position: usize, array: &Arc<Expr>| match arrays.len() {
            1 => whole.clone(),
            _ => build.component(&whole, position, &of_array(array)),
        };
        let parts: Vec<Arc<Expr>> =
            arrays.iter().enumerate().map(|(position, array)| part(build, position, array)).collect();
        let mut body = match self.arrays.len() {
            1 => body.replace(self.element, &parts[0]),
            // Those that are not read stay away.
            count => {
                let of = |position: usize| read.iter().position(|read| *read == position).unwrap_or(0);
                let components: Vec<Arc<Expr>> =
                    (0..count).map(|position| parts[of(position)].clone()).collect();
                body.replace_components(self.element, &components)
            }
        };
        if let (Some((variable, _)), Some(part)) = (made, parts.last()) {
            body = body.replace(variable, part);
        }
        let index = function.index.as_ref().map(|index| {
            let own = build.size(index.name());
            body = body.substitute(&Substitution::from([(index.clone(), Nat::variable(&own))]));
            own
        });
        build.map(Lambda { parameters: vec![(parameter, ty)], index, body }, input)
    }
}

/// Whether an expression reads a tuple by its components only.
fn reads_components(expr: &Expr, tuple: &Variable) -> bool {
    match &expr.kind {
        ExprKind::Component(of, _) if is_variable(of, tuple) => true,
        _ if is_variable(expr, tuple) => false,
        _ => expr.children().all(|child| reads_components(child, tuple)),
    }
}

fn reads_component(expr: &Expr, tuple: &Variable, position: usize) -> bool {
    match &expr.kind {
        ExprKind::Component(of, own) if is_variable(of, tuple) => *own == position,
        _ => expr.children().any(|child| reads_component(child, tuple, position)),
    }
}

/// The `let`s that a value needs, directly or indirectly.
pub(in crate::middle) fn needed(bindings: &[Binding], value: &Arc<Expr>) -> Vec<Binding> {
    parted(bindings, value).0
}
