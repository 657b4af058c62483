//! Horizontal fusion: several results from one pass over an array.
//!
//! Independent reductions of one array become one reduction whose accumulator is a tuple, so that one kernel
//! reads the array once. A tuple of maps over one array becomes one map to tuples. Futhark does this outside
//! of all functions, as lowering does (Henriksen, Larsen, Oancea, *Design and GPGPU performance of Futhark's
//! redomap construct*, ARRAY 2016).
//!
//! Only reductions that may be divided among work-items are fused: their operators are known to be
//! associative and commutative, and so is the fused operator. The fused reduction stands where the first of
//! them stood. A reduction that mentions later bindings is not fused with it.

use std::sync::Arc;

use super::super::mismatch::Mismatch;
use super::super::rule::{Argument, Kind, Redex, Rule};
use super::division::joins_uneven_rows;
use super::parts::constants;
use crate::flat::FlatSet;
use crate::ir::source::Source;
use crate::ir::typed::build::Build;
use crate::ir::typed::{Binding, Expr, ExprKind, Lambda, MapKind, NodeId, ReduceKind};
use crate::ir::types::Type;
use crate::middle::laws::{Accumulation, Axioms, Operator};
use crate::middle::lower::{is_producer, takes_a_loop};
use crate::middle::stated::Builder;

/// Reductions and maps of one array in a `let` and its values are one. The argument is the least length of
/// arrays whose reductions are fused.
pub const FUSE_TOGETHER: Rule = Rule {
    name: "fuseTogether",
    statement: "(reduce(f, y, a), reduce(g, z, a)) = reduce(|(s, t), x| (f(s, x), g(t, x)), (y, z), a), \
                (map(f, a), map(g, a)) = map(|x| (f(x), g(x)), a) >> unzip",
    origin: "horizontal fusion of Futhark (ARRAY 2016)",
    parameters: &[Kind::Size],
    regroups: true,
    apply: fuse_together,
};

fn fuse_together(
    redex: &Redex<'_>,
    arguments: &[Argument],
    build: &mut Build<'_>,
) -> Result<Arc<Expr>, Mismatch> {
    let [least] = constants(arguments)?;
    let axioms = Axioms::of_place(build);
    let fused = build.prover().numbered(|next_id| {
        let builder = Builder { next_id: *next_id };
        let mut fusion = Fusion { axioms, least, build: builder };
        let fused = fusion.whole(redex.expr);
        *next_id = fusion.build.next_id;
        fused
    });
    fused.ok_or_else(|| Mismatch::condition("several results come from one array", redex.expr))
}

struct Fusion<'p> {
    axioms: Axioms<'p>,
    least: i128,
    build: Builder,
}

/// A reduction that may be fused, with the function that is applied to the elements first.
struct Candidate {
    /// The reduction. Nothing before puts one reduction in several places, so this says where it stands.
    node: NodeId,
    /// The array, without ids and positions, so that equal arrays are equal expressions.
    array: Arc<Expr>,
    /// The position of the binding that contains it.
    position: usize,
    element: Lambda,
    operator: Lambda,
    initial: Arc<Expr>,
    source: Source,
}

impl Fusion<'_> {
    /// Fuses the reductions in the values and the body of a `let`, and the maps of its result. `None` if
    /// there are none.
    fn whole(&mut self, body: &Arc<Expr>) -> Option<Arc<Expr>> {
        let (bindings, result) = match &body.kind {
            ExprKind::Let { bindings, body } => (bindings.as_slice(), body),
            _ => (&[][..], body),
        };
        let mut candidates = Vec::new();
        let values = bindings.iter().map(|binding| &binding.value).chain([result]);
        for (position, value) in values.enumerate() {
            self.collect(value, position, &mut candidates);
        }
        let mut groups = self.groups(candidates, bindings);
        groups.retain(|group| group.len() > 1);
        let mut fused_before: Vec<Vec<Binding>> = vec![Vec::new(); bindings.len() + 1];
        let mut replaced: Vec<(NodeId, Arc<Expr>)> = Vec::new();
        for group in &groups {
            let (binding, components) = self.fused(group);
            let place = group.first().and_then(|first| fused_before.get_mut(first.position));
            let Some(place) = place else { continue };
            place.push(binding);
            replaced.extend(group.iter().map(|member| member.node).zip(components));
        }
        let result = replace_nodes(result, &replaced);
        let mapped = self.maps_of_one_array(&result);
        if groups.is_empty() && mapped.is_none() {
            return None;
        }
        let mut fused_before = fused_before.into_iter();
        let mut all = Vec::new();
        for binding in bindings {
            all.extend(fused_before.next().into_iter().flatten());
            all.push(binding.with_value(replace_nodes(&binding.value, &replaced)));
        }
        all.extend(fused_before.flatten());
        Some(self.build.bind_all(all, mapped.unwrap_or(result)))
    }

    /// Collects the reductions that are computed unconditionally, outside of functions.
    fn collect(&mut self, expr: &Arc<Expr>, position: usize, found: &mut Vec<Candidate>) {
        match &expr.kind {
            ExprKind::Reduce(ReduceKind::Unspecified, ..) => found.extend(self.candidate(expr, position)),
            ExprKind::Tuple(parts)
            | ExprKind::ArrayLiteral(parts)
            | ExprKind::Builtin(_, parts)
            | ExprKind::Function(_, parts) => {
                parts.iter().for_each(|part| self.collect(part, position, found));
            }
            ExprKind::Component(input, _) | ExprKind::Unary(_, input) | ExprKind::Cast(_, input) => {
                self.collect(input, position, found);
            }
            ExprKind::Binary(_, left, right) => {
                self.collect(left, position, found);
                self.collect(right, position, found);
            }
            _ => {}
        }
    }

    fn candidate(&mut self, reduction: &Arc<Expr>, position: usize) -> Option<Candidate> {
        let ExprKind::Reduce(_, function, initial, input) = &reduction.kind else { return None };
        let array = input.ty.as_array()?;
        if array.index.is_some() && function.index.is_some() {
            return None;
        }
        let is_short = array.length.as_constant().is_some_and(|length| length < self.least);
        if is_short || !reduction.ty.is_element() || joins_uneven_rows(input) || takes_a_loop(initial) {
            return None;
        }
        let Accumulation { element, operator } =
            Accumulation::of(function, self.axioms, &mut || self.build.fresh())?;
        Operator::of(&operator, self.axioms).filter(|operator| operator.laws.commutative)?;
        let (array, mapped) = self.mapped(input)?;
        let element = match element {
            Some(element) => self.build.after(&mapped, &element)?,
            None => mapped,
        };
        let (node, initial, source) = (reduction.id, initial.clone(), reduction.source);
        Some(Candidate { node, array: anonymous(&array), position, element, operator, initial, source })
    }

    /// The array below a chain of maps, and the composed function.
    fn mapped(&mut self, input: &Arc<Expr>) -> Option<(Arc<Expr>, Lambda)> {
        let ty = &input.ty.as_array()?.element;
        match &input.kind {
            ExprKind::Map(MapKind::Unspecified, function, array) => {
                let is_regular = array.ty.as_array().is_some_and(|array| array.index.is_none());
                let is_simple = (function.index.is_none() || is_regular) && function.body.ty.is_element();
                if !is_simple || takes_a_loop(&function.body) {
                    return None;
                }
                let (array, before) = self.mapped(array)?;
                Some((array, self.build.after(&before, function)?))
            }
            _ if is_cheap_view(input) && ty.is_element() => {
                Some((input.clone(), self.build.identity_function(ty, input.source)))
            }
            _ => None,
        }
    }

    /// Groups the reductions of one array that may be computed where the first of them stands, in program
    /// order.
    fn groups(&self, candidates: Vec<Candidate>, bindings: &[Binding]) -> Vec<Vec<Candidate>> {
        let mut groups: Vec<Vec<Candidate>> = Vec::new();
        for candidate in candidates {
            let is_possible = |group: &&mut Vec<Candidate>| {
                group.first().is_some_and(|first| {
                    let later: FlatSet<u32> =
                        bindings.iter().skip(first.position).map(|binding| binding.variable.id).collect();
                    first.array == candidate.array
                        && !mentions(&candidate.element.body, &later)
                        && !mentions(&candidate.initial, &later)
                })
            };
            match groups.iter_mut().find(is_possible) {
                Some(group) => group.push(candidate),
                None => groups.push(vec![candidate]),
            }
        }
        groups
    }

    /// The reduction for a group, and the expressions that replace the members of the group.
    fn fused(&mut self, group: &[Candidate]) -> (Binding, Vec<Arc<Expr>>) {
        let source = group.first().map_or(Source::UNKNOWN, |first| first.source);
        let array = group.first().map(|first| first.array.clone());
        let types: Vec<Type> = group.iter().map(|member| member.operator.body.ty.clone()).collect();
        let all = Type::Tuple(types);
        let element = self.build.side_by_side(group.iter().map(|member| &member.element));
        let initial = group.iter().map(|member| member.initial.clone()).collect();
        let initial = self.build.tuple(initial, source);
        let operator = self.build.by_component(group.iter().map(|member| &member.operator), &all, source);
        let input = match array {
            Some(array) => {
                let array = self.build.renumbered(&array);
                self.build.map(element, array)
            }
            None => initial.clone(),
        };
        let reduced = Arc::unwrap_or_clone(self.build.reduce(&operator, initial, input));
        let reduced = Arc::new(Expr { source, ..reduced });
        let variable = self.build.variable("fused");
        let read = self.build.read(&variable, &all, source);
        let components = group
            .iter()
            .enumerate()
            .map(|(position, member)| self.build.component(&read, position, &member.operator.body.ty));
        let components = components.collect();
        (Binding { variable, value: reduced }, components)
    }

    /// `unzip` of one map, for a tuple of maps over one array.
    fn maps_of_one_array(&mut self, result: &Arc<Expr>) -> Option<Arc<Expr>> {
        let ExprKind::Tuple(parts) = &result.kind else { return None };
        let is_map = |part: &Arc<Expr>| matches!(&part.kind, ExprKind::Map(MapKind::Unspecified, ..));
        if parts.len() < 2 || !parts.iter().all(is_map) {
            return None;
        }
        let maps: Vec<(Arc<Expr>, Lambda)> =
            parts.iter().map(|part| self.mapped(part)).collect::<Option<_>>()?;
        let (array, _) = maps.first()?;
        let key = anonymous(array);
        if !maps.iter().all(|(other, _)| anonymous(other) == key) {
            return None;
        }
        let function = self.build.side_by_side(maps.iter().map(|(_, function)| function));
        let mapped = self.build.map(function, array.clone());
        let kind = ExprKind::Unzip(mapped);
        Some(result.with_kind(kind))
    }
}

/// Whether an array is a view of variables, so that its elements are not computed.
fn is_cheap_view(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Layout(_, input) | ExprKind::Component(input, _) => {
            !is_producer(expr) && is_cheap_view(input)
        }
        ExprKind::Zip(parts) => parts.iter().all(|part| is_cheap_view(part)),
        _ => false,
    }
}

fn mentions(expr: &Expr, variables: &FlatSet<u32>) -> bool {
    match &expr.kind {
        ExprKind::Variable(read) => variables.contains(&read.id),
        _ => expr.children().any(|child| mentions(child, variables)),
    }
}

/// The same expression without ids and positions.
fn anonymous(expr: &Arc<Expr>) -> Arc<Expr> {
    let Expr { ty, kind, .. } = Arc::unwrap_or_clone(expr.with_children(&mut anonymous));
    Arc::new(Expr { id: NodeId(0), ty, source: Source::UNKNOWN, kind })
}

fn replace_nodes(expr: &Arc<Expr>, replaced: &[(NodeId, Arc<Expr>)]) -> Arc<Expr> {
    match replaced.iter().find(|(node, _)| *node == expr.id) {
        Some((_, replacement)) => replacement.clone(),
        None => expr.with_children(&mut |child| replace_nodes(child, replaced)),
    }
}
