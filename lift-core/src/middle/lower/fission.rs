//! Splits a map of the whole device whose function computes arrays on the way into several maps (map fission,
//! loop distribution; `map(g . f) = map(g) . map(f)` read from left to right, Steuwer et al., ICFP 2015,
//! figure 3d).
//!
//! Input: a map outside of all functions. In its function, `stages` has bound what is computed once for each
//! element: single values in `let`s, arrays as `Store(None, …)`. Output: stages, each a map that computes
//! some of these for all elements, and a map that reads their results. It is one rule for the whole map,
//! which decides what is split off by the cost of what the function binds.
//!
//! As one map, each work-item computes everything for an element in order. Split, each stage has as many
//! parallel maps as it produces dimensions, so that neighbouring work-items touch neighbouring elements: a
//! softmax of rows is a reduction of each row, a map over all elements, and so on. That takes memory for each
//! stage: for all elements of the map, or for some of them at a time (`memory::contraction`).
//!
//! Short arrays stay with the work-item, in registers. So do arrays of a known length of at most 1024
//! elements that are computed for windows, because there are many more windows than elements.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::cost::ElementCost;
use super::producers::{is_producer, rearranged, takes_a_loop};
use super::reads::collect_reads;
use crate::ir::nat::{Nat, Substitution};
use crate::ir::typed::binders::refreshed;
use crate::ir::typed::{Binding, Expr, ExprKind, Function, Lambda, Layout, MapKind, Variable, is_same_place};
use crate::ir::types::Type;
use crate::middle::rewrite::{Mismatch, Rule};
use crate::middle::stated::Builder;

/// Arrays of at most this many elements stay with the work-item that needs them.
const SHORT: i128 = 32;

/// What the function of a map keeps for each element has maps of its own.
pub(super) const MAP_BY_STAGES: Rule = Rule {
    name: "mapByStages",
    statement: "map(|x| { let y = g(x) >> store; f(x, y) }, a) = { let ys = map(g, a) >> store; \
                zip(a, ys) >> map(|(x, y)| f(x, y)) }, for all y that are long or take long",
    origin: "map fission (ICFP 2015, figure 3d); loop distribution",
    parameters: &[],
    regroups: false,
    apply: |redex, _, build| {
        let functions = build.functions();
        let split = build.prover().numbered(|next_id| {
            let mut builder = Builder { next_id: *next_id };
            let SplitMap { stages, rest } = split_map(redex.expr, functions, &mut builder)?;
            let stages = stages.into_iter().map(|stage| kept(stage, &mut builder)).collect();
            let split = builder.bind_all(stages, rest);
            *next_id = builder.next_id;
            Some(split)
        });
        let wanted = "a `map` whose function computes long arrays, or single values that take long";
        split.ok_or_else(|| Mismatch::condition(wanted, redex.expr))
    },
};

/// Whether an expression has the form of a map that may be split.
pub(super) fn may_be_split(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Map(MapKind::Unspecified, ..)) || rearranged(expr).is_some()
}

/// A map, split into several.
struct SplitMap {
    /// The arrays that are computed before, in order.
    stages: Vec<Binding>,
    /// What is left of the map.
    rest: Rc<Expr>,
}

/// A stage, as an array that is stored.
fn kept(stage: Binding, build: &mut Builder) -> Binding {
    let value = build.kept(stage.value.clone());
    stage.with_value(value)
}

/// Splits a map. `None` if that gains nothing.
fn split_map(expr: &Rc<Expr>, functions: &[Function], build: &mut Builder) -> Option<SplitMap> {
    if let Some(input) = rearranged(expr) {
        let SplitMap { stages, rest } = split_map(input, functions, build)?;
        let rest = expr.with_children(&mut |child| match is_same_place(child, input) {
            true => rest.clone(),
            false => child.clone(),
        });
        return Some(SplitMap { stages, rest });
    }
    let ExprKind::Map(MapKind::Unspecified, function, input) = &expr.kind else { return None };
    // Stages are arrays of regular rows, so neither the input nor the result may have rows of different
    // lengths.
    let is_uneven = |array: &Expr| array.ty.as_array().is_none_or(|array| array.index.is_some());
    if is_uneven(expr) || is_uneven(input) {
        return None;
    }
    let (mut bindings, mut body) = match &function.body.kind {
        ExprKind::Let { bindings, body } => (bindings.clone(), body.clone()),
        _ => (Vec::new(), function.body.clone()),
    };
    if let Some(inner) = split_map(&body, functions, build) {
        bindings.extend(inner.stages.into_iter().map(|stage| kept(stage, build)));
        body = inner.rest;
    }
    if let Some(index) = &function.index
        && bindings.iter().any(|binding| binding.value.ty.mentions(index))
    {
        return None;
    }
    let kinds: Vec<Kind> = bindings.iter().map(|binding| Kind::of(binding, functions)).collect();
    let is_long = |ty: &Type| match ty.element_count().as_constant() {
        Some(count) => count > SHORT && !has_windows(input),
        None => true,
    };
    let has_long_array = || {
        let mut arrays = bindings.iter().zip(&kinds).filter(|(_, kind)| **kind == Kind::Array);
        arrays.any(|(binding, _)| is_long(&binding.value.ty))
    };
    let has_loop =
        || bindings.iter().any(|binding| binding.value.ty.is_element() && takes_a_loop(&binding.value));
    if !(has_long_array() || has_loop() && !body.ty.is_element() && is_long(&body.ty)) {
        return None;
    }
    let mut fission = Fission { function, input: input.clone(), stages: Vec::new(), made: Vec::new(), build };
    fission.store_input(functions);
    let mut cheap = Vec::new();
    let mut position = 0;
    while let (Some(binding), Some(kind)) = (bindings.get(position), kinds.get(position)) {
        match kind {
            Kind::Cheap => {
                cheap.push(binding.clone());
                position += 1;
            }
            Kind::Array => {
                let value = match &binding.value.kind {
                    ExprKind::Store(None, value) => value,
                    _ => &binding.value,
                };
                fission.stage(&cheap, value, &[(binding.variable.clone(), value.ty.clone())]);
                position += 1;
            }
            Kind::Values => {
                let is_value = |kind: &&Kind| **kind != Kind::Array;
                let count = kinds.iter().skip(position).take_while(is_value).count();
                let run: Vec<Binding> = bindings.iter().skip(position).take(count).cloned().collect();
                let (values, others): (Vec<_>, Vec<_>) =
                    run.iter().zip(kinds.iter().skip(position)).partition(|(_, kind)| **kind == Kind::Values);
                let later: Vec<&Rc<Expr>> = bindings
                    .iter()
                    .skip(position + count)
                    .map(|binding| &binding.value)
                    .chain([&body])
                    .collect();
                let others: Vec<Binding> = others.into_iter().map(|(binding, _)| binding.clone()).collect();
                let used_by_others = || others.iter().map(|binding| &binding.value);
                let is_used = |variable: &Variable| {
                    later.iter().copied().chain(used_by_others()).any(|expr| mentions(expr, variable))
                };
                let used: Vec<(Variable, Type)> = values
                    .into_iter()
                    .filter(|(binding, _)| is_used(&binding.variable))
                    .map(|(binding, _)| (binding.variable.clone(), binding.value.ty.clone()))
                    .collect();
                let before: Vec<Binding> = cheap.iter().chain(&run).cloned().collect();
                fission.values(&before, &used, binding);
                cheap.extend(others);
                position += count;
            }
        }
    }
    let rest = fission.applied(&cheap, &body);
    Some(SplitMap { stages: fission.stages, rest })
}

/// The treatment of a `let` in the function of a map that is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An array that is computed once for each element.
    Array,
    /// A single value that takes long to compute.
    Values,
    /// It is computed where it is needed.
    Cheap,
}

impl Kind {
    fn of(binding: &Binding, functions: &[Function]) -> Kind {
        let value = &binding.value;
        match &value.kind {
            ExprKind::Store(None, _) => Kind::Array,
            _ if !value.ty.is_element() && is_producer(value) => Kind::Array,
            _ if !value.ty.is_element() => Kind::Cheap,
            _ if takes_a_loop(value) || !ElementCost::of(value, functions).is_cheap() => Kind::Values,
            _ => Kind::Cheap,
        }
    }
}

struct Fission<'d> {
    function: &'d Lambda,
    /// The array of the map.
    input: Rc<Expr>,
    stages: Vec<Binding>,
    /// The values that stages compute so far.
    made: Vec<Made>,
    build: &'d mut Builder,
}

struct Made {
    variable: Variable,
    ty: Type,
    stage: usize,
    component: Option<usize>,
}

impl Fission<'_> {
    /// Stores the input of the map if its elements take long to compute, because every stage reads them.
    fn store_input(&mut self, functions: &[Function]) {
        if is_quickly_read(&self.input, functions) {
            return;
        }
        let variable = self.build.variable("elements");
        let read = self.build.read(&variable, &self.input.ty, self.input.source);
        let value = std::mem::replace(&mut self.input, read);
        self.stages.push(Binding { variable, value });
    }

    /// A stage for values that are computed together.
    fn values(&mut self, before: &[Binding], used: &[(Variable, Type)], first: &Binding) {
        let reads = used.iter().map(|(variable, ty)| self.build.read(variable, ty, first.value.source));
        let reads: Vec<Rc<Expr>> = reads.collect();
        match reads.as_slice() {
            [] => {}
            [one] => self.stage(before, one, used),
            _ => {
                let tuple = self.build.tuple(reads, first.value.source);
                self.stage(before, &tuple, used);
            }
        }
    }

    /// A stage that computes one value for each element, or several as a tuple.
    fn stage(&mut self, before: &[Binding], value: &Rc<Expr>, made: &[(Variable, Type)]) {
        let array = self.applied(before, value);
        let name = if let [(one, _)] = made { &*one.name } else { "values" };
        let name = name.to_owned();
        let stage = self.stages.len();
        self.stages.push(Binding { variable: self.build.variable(&name), value: array });
        let is_one = made.len() == 1;
        self.made.extend(made.iter().enumerate().map(|(position, (variable, ty))| Made {
            variable: variable.clone(),
            ty: ty.clone(),
            stage,
            component: (!is_one).then_some(position),
        }));
    }

    /// The same map with another body, in which the results of stages are read.
    fn applied(&mut self, before: &[Binding], body: &Rc<Expr>) -> Rc<Expr> {
        let body = self.build.bind_all(needed(before, body), body.clone());
        let body = refreshed(&body, &mut self.build.next_id);
        let is_read = |stage: usize| {
            self.made.iter().any(|made| made.stage == stage && mentions(&body, &made.variable))
        };
        let read: Vec<usize> = (0..self.stages.len()).filter(|stage| is_read(*stage)).collect();
        let stages = read.iter().filter_map(|stage| self.stages.get(*stage));
        let arrays =
            stages.map(|stage| self.build.read(&stage.variable, &stage.value.ty, stage.value.source));
        let arrays: Vec<Rc<Expr>> = std::iter::once(self.input.clone()).chain(arrays).collect();
        let input = match arrays.as_slice() {
            [one] => one.clone(),
            _ => self.build.zip(arrays.clone()),
        };
        let element = |array: &Expr| array.ty.as_array().map_or(Type::Size, |array| array.element.clone());
        let name = self.function.parameters.first().map_or("element", |(parameter, _)| &*parameter.name);
        let parameter = self.build.variable(name);
        let whole = self.build.read(&parameter, &element(&input), input.source);
        let mut part = |position: usize, array: &Rc<Expr>| match arrays.len() {
            1 => whole.clone(),
            _ => self.build.component(&whole, position, &element(array)),
        };
        let parts: Vec<Rc<Expr>> =
            arrays.iter().enumerate().map(|(position, array)| part(position, array)).collect();
        let mut body = body;
        for (own, _) in &self.function.parameters {
            body = parts.first().map_or(body.clone(), |part| body.replace(own, part));
        }
        for (stage, part) in read.iter().zip(parts.iter().skip(1)) {
            for made in self.made.iter().filter(|made| made.stage == *stage) {
                let part = match made.component {
                    None => part.clone(),
                    Some(position) => self.build.component(part, position, &made.ty),
                };
                body = body.replace(&made.variable, &part);
            }
        }
        let index = self.function.index.as_ref().map(|index| {
            let own = self.build.size(index.name());
            body = body.substitute(&Substitution::from([(index.clone(), Nat::variable(&own))]));
            own
        });
        let function = Lambda { parameters: vec![(parameter, element(&input))], index, body };
        self.build.map(function, input)
    }
}

/// The `let`s that a value needs, directly or indirectly.
fn needed(bindings: &[Binding], value: &Rc<Expr>) -> Vec<Binding> {
    let mut needed: Vec<Binding> = Vec::new();
    for binding in bindings.iter().rev() {
        let is_needed = mentions(value, &binding.variable)
            || needed.iter().any(|later| mentions(&later.value, &binding.variable));
        if is_needed {
            needed.push(binding.clone());
        }
    }
    needed.reverse();
    needed
}

fn mentions(expr: &Expr, variable: &Variable) -> bool {
    let mut read = BTreeSet::new();
    collect_reads(expr, &mut read);
    read.contains(&variable.id)
}

/// Whether an array shows its elements in several windows.
fn has_windows(expr: &Expr) -> bool {
    let here = matches!(&expr.kind, ExprKind::Layout(Layout::Slide { .. }, _));
    here || expr.children().into_iter().any(|child| has_windows(child))
}

/// Whether an element is computed about as fast as it is loaded.
fn is_quickly_read(expr: &Expr, functions: &[Function]) -> bool {
    match &expr.kind {
        ExprKind::Map(_, function, input) => {
            ElementCost::of(&function.body, functions).is_cheap() && is_quickly_read(input, functions)
        }
        ExprKind::Generate(_, function) => ElementCost::of(&function.body, functions).is_cheap(),
        ExprKind::Reduce(..) | ExprKind::Scan(..) | ExprKind::Iterate(..) | ExprKind::Store(..) => false,
        _ => expr.children().into_iter().all(|child| is_quickly_read(child, functions)),
    }
}
