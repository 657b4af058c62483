//! A loop of independent steps, mined into strips.
//!
//! The statements of the body are distributed: each is executed for all lanes of a strip before the next. A sequential loop whose
//! extent is the same for all lanes comes out, so that the loop over the lanes is innermost, has a known length and touches
//! neighbouring elements; a compiler turns it into vector instructions. Variables that live longer than a statement get a value for each
//! lane.
//!
//! What must hold: the lanes do not depend on each other (the caller knows), and each lane executes its statements in order.

use std::collections::BTreeSet;

use super::accesses::{Accesses, Certainty, Stride, coefficient, stride};
use super::direction::{Direction, direction};
use super::interior::interior;
use super::simplify::simplified;
use super::{Bounds, LaneOfLeast, LaneStep, Strip, Strips};
use crate::kernel::rewrite::Rewrite;
use crate::kernel::{
    Buffer, BufferId, BufferRole, Expression, Loop, Statement, ValueType, Variable, Workers,
};
use crate::nat::{Condition, Nat, Ranges, Substitution, Var};

/// Positions in a strip at most.
const MOST_LANES: usize = 64;

/// Positions in a strip at least, where it is to fill vectors.
pub(super) const LEAST_LANES: usize = 16;

/// Positions in a strip that only hides the latency of what the positions do one after the other.
const INTERLEAVED_LANES: usize = 8;

/// The bytes that the variables of a strip take at most; about what vector registers hold.
const REGISTER_BYTES: i128 = 1024;

/// The bytes that the private arrays of a strip take at most: a part of the first cache.
const ARRAY_BYTES: i128 = 1 << 14;

/// Makes an index that is called like this.
pub(super) type Fresh<'f> = &'f mut dyn FnMut(&str) -> Var;

/// A loop in strips; nothing where that does not pay. `ranges` hold around the loop.
pub(super) fn strips(
    repetition: &Loop,
    bounds: Bounds,
    buffers: &[Buffer],
    ranges: &Ranges,
    fresh: Fresh<'_>,
) -> Option<Strips> {
    let index = &repetition.index;
    let is_short =
        |limit: usize| repetition.extent.as_constant().is_some_and(|extent| extent <= limit as i128);
    if is_short(INTERLEAVED_LANES - 1) || (is_short(2 * MOST_LANES) && !has_loops(&repetition.body)) {
        return None;
    }
    let interior = interior(&repetition.body, index, &repetition.extent, ranges);
    let mut inside = ranges.clone();
    inside.declare(index, Nat::zero(), Some(repetition.extent.clone()));
    interior.first.iter().for_each(|first| inside.declare(index, first.clone(), None));
    interior.end.iter().for_each(|end| inside.declare(index, Nat::zero(), Some(end.clone())));
    let has_borders = !interior.first.is_empty() || !interior.end.is_empty();
    let body = if has_borders { simplified(&repetition.body, &inside) } else { repetition.body.clone() };
    let body = advance_loads(body, index, buffers);
    let strip = distribute(&body, index, buffers, &inside, fresh);
    let lanes = lanes(&body, &strip, index, buffers, &repetition.extent)?;
    let accesses = Accesses::of(&repetition.body);
    let own = declared_buffers(&repetition.body);
    let repeatable = accesses.loaded().intersection(&accesses.stored()).all(|buffer| own.contains(buffer));
    Some(Strips {
        index: index.clone(),
        bounds,
        origin: repetition.origin.clone(),
        lanes,
        first: interior.first,
        end: interior.end,
        repeatable,
        single: repetition.body.clone(),
        strip,
    })
}

/// The number of lanes that suits a body, where strips pay at all.
fn lanes(body: &[Statement], strip: &Strip, index: &Var, buffers: &[Buffer], extent: &Nat) -> Option<usize> {
    // Who computes with vectors has filled the vector unit already; and where lanes have loops of their own nothing is gained.
    if has_vectors(body) || has_loops_of_lanes(&strip.steps) {
        return None;
    }
    let varying: BTreeSet<Var> = strip.indices.iter().cloned().collect();
    let accesses = Accesses::of(body);
    let own = |buffer: &BufferId| strip.memories.contains(buffer);
    let strides = |inner: bool| {
        let all = accesses.loads.iter().chain(&accesses.stores);
        let wanted = all.filter(move |access| !own(&access.buffer) && (access.depth > 0) == inner);
        wanted.map(|access| (stride(&access.index, index, &varying), access.certainty))
    };
    let apart = |stride: &(Stride, Certainty)| matches!(stride.0, Stride::Constant(_) | Stride::Other);
    let neighbours = |stride: &(Stride, Certainty)| stride.0 == Stride::One;
    let has_loops = has_loops(body);
    let bytes = bytes(strip);
    let array_bytes: i128 = strip.memories.iter().map(|id| array_bytes(buffers.get(id.0))).sum();
    let widest = accesses.loads.iter().chain(&accesses.stores).map(|access| access.ty.scalar.bytes()).max();
    let mut lanes = MOST_LANES;
    if has_loops && strides(true).any(|stride| apart(&stride)) {
        lanes = INTERLEAVED_LANES;
    } else if !has_loops && !strides(false).any(|stride| neighbours(&stride)) {
        return None;
    }
    let fits =
        |lanes: usize| lanes as i128 * bytes <= REGISTER_BYTES && lanes as i128 * array_bytes <= ARRAY_BYTES;
    if widest.is_some_and(|widest| widest > 4) {
        lanes = lanes.min(MOST_LANES / 2);
    }
    while lanes > INTERLEAVED_LANES && !fits(lanes) {
        lanes /= 2;
    }
    if let Some(extent) = extent.as_constant() {
        // A loop shorter than a strip would have no strip.
        while lanes > INTERLEAVED_LANES && lanes as i128 > extent {
            lanes /= 2;
        }
    }
    fits(lanes).then_some(lanes)
}

/// The bytes that the variables of a lane take.
pub(super) fn bytes(strip: &Strip) -> i128 {
    strip.variables.iter().map(|variable| variable.ty.scalar.bytes()).sum()
}

fn array_bytes(buffer: Option<&Buffer>) -> i128 {
    let length = buffer.and_then(|buffer| Some(buffer.length.as_constant()? * buffer.element.bytes()));
    length.unwrap_or(i128::from(u32::MAX))
}

fn has_loops(body: &[Statement]) -> bool {
    body.iter().any(|statement| {
        matches!(statement, Statement::Loop(_)) || statement.blocks().into_iter().any(has_loops)
    })
}

fn has_loops_of_lanes(steps: &[LaneStep]) -> bool {
    steps.iter().any(|step| match step {
        LaneStep::Lanes(statements) => has_loops(statements),
        LaneStep::Least { .. } | LaneStep::Rest { .. } => false,
        LaneStep::For { body, .. } => has_loops_of_lanes(body),
        LaneStep::If(_, then, otherwise) => has_loops_of_lanes(then) || has_loops_of_lanes(otherwise),
    })
}

fn has_vectors(body: &[Statement]) -> bool {
    fn is_vector(expression: &Expression) -> bool {
        expression.ty().lanes > 1 || expression.children().into_iter().any(is_vector)
    }
    body.iter().any(|statement| {
        statement.expressions().into_iter().any(is_vector) || statement.blocks().into_iter().any(has_vectors)
    })
}

/// The buffers that are declared in a body.
pub(super) fn declared_buffers(body: &[Statement]) -> BTreeSet<BufferId> {
    let mut declared = BTreeSet::new();
    for statement in body {
        if let Statement::DeclareBuffer(buffer) = statement {
            declared.insert(*buffer);
        }
        declared.extend(statement.blocks().into_iter().flat_map(declared_buffers));
    }
    declared
}

/// The indices that are computed from data in a body.
fn declared_indices(body: &[Statement]) -> BTreeSet<Var> {
    let mut declared = BTreeSet::new();
    for statement in body {
        if let Statement::DeclareIndex { index, .. } | Statement::DeclareValue { index, .. } = statement {
            declared.insert(index.clone());
        }
        declared.extend(statement.blocks().into_iter().flat_map(declared_indices));
    }
    declared
}

/// The statements of a body, distributed over the lanes.
fn distribute(
    body: &[Statement],
    index: &Var,
    buffers: &[Buffer],
    ranges: &Ranges,
    fresh: Fresh<'_>,
) -> Strip {
    let computed = declared_indices(body);
    let steps = Distribution { index, computed, fresh }.block(body, ranges);
    let mut groups = Vec::new();
    collect_groups(&steps, &mut groups);
    let declared: Vec<Declared> = groups.iter().map(|group| Declared::of(group)).collect();
    let used: Vec<Used> = groups.iter().map(|group| Used::of(group)).collect();
    let mut strip =
        Strip { variables: Vec::new(), indices: Vec::new(), memories: Vec::new(), steps: Vec::new() };
    for (position, declared) in declared.into_iter().enumerate() {
        let elsewhere =
            || used.iter().enumerate().filter(move |(other, _)| *other != position).map(|(_, used)| used);
        let variables = declared.variables.into_iter();
        strip
            .variables
            .extend(variables.filter(|v| elsewhere().any(|used| used.variables.contains(&v.name))));
        let indices = declared.indices.into_iter();
        strip.indices.extend(indices.filter(|index| elsewhere().any(|used| used.indices.contains(index))));
    }
    strip.memories = declared_buffers(body).into_iter().filter(|id| id.0 < buffers.len()).collect();
    strip.steps = without_memories(steps);
    strip
}

struct Distribution<'a> {
    index: &'a Var,
    /// The indices that are computed from data, by each lane for itself.
    computed: BTreeSet<Var>,
    fresh: Fresh<'a>,
}

impl Distribution<'_> {
    fn block(&mut self, body: &[Statement], ranges: &Ranges) -> Vec<LaneStep> {
        let mut steps = Vec::new();
        let mut group = Vec::new();
        for statement in body {
            let distributed = match statement {
                Statement::Comment(_) => continue,
                Statement::Loop(repetition) => self.repetition(repetition, ranges),
                Statement::If(condition, then, otherwise) if self.is_uniform(condition) => {
                    Some(vec![LaneStep::If(
                        condition.clone(),
                        self.block(then, ranges),
                        self.block(otherwise, ranges),
                    )])
                }
                Statement::If(..)
                | Statement::Declare(..)
                | Statement::DeclareBuffer(_)
                | Statement::DeclareIndex { .. }
                | Statement::DeclareWorker { .. }
                | Statement::DeclareValue { .. }
                | Statement::Assign(..)
                | Statement::Store(..)
                | Statement::CallFunction { .. }
                | Statement::Barrier { .. } => None,
            };
            match distributed {
                None => group.push(statement.clone()),
                Some(more) => {
                    if !group.is_empty() {
                        steps.push(LaneStep::Lanes(std::mem::take(&mut group)));
                    }
                    steps.extend(more);
                }
            }
        }
        if !group.is_empty() {
            steps.push(LaneStep::Lanes(group));
        }
        steps
    }

    /// A loop outside of the loop over lanes: as many steps as all lanes have, and what is left for some. Nothing where each lane has to
    /// count for itself.
    fn repetition(&mut self, repetition: &Loop, ranges: &Ranges) -> Option<Vec<LaneStep>> {
        let Loop { index, extent, origin, body, .. } = repetition;
        if self.computed.iter().any(|computed| extent.mentions(computed)) {
            return None;
        }
        let mut inside = ranges.clone();
        inside.declare(index, Nat::zero(), Some(extent.clone()));
        let repeated = |distribution: &mut Self, extent: Nat| LaneStep::For {
            index: index.clone(),
            extent,
            origin: origin.clone(),
            body: distribution.block(body, &inside),
        };
        if !extent.mentions(self.index) {
            return Some(vec![repeated(self, extent.clone())]);
        }
        let lane = match direction(extent, self.index, ranges)? {
            Direction::Constant | Direction::Growing => LaneOfLeast::First,
            Direction::Shrinking => LaneOfLeast::Last,
        };
        let least = (self.fresh)(&format!("least_{}", index.name()));
        let count = Nat::variable(&least);
        let shifted = Nat::variable(index) + &count;
        let body = Substitute { index, value: &shifted }.block(body);
        let left = extent - &count;
        let rest = Loop { extent: left.clone(), body, ..repetition.clone() };
        Some(vec![
            LaneStep::Least { least, extent: extent.clone(), lane },
            repeated(self, count),
            LaneStep::Rest { left, lane, statements: vec![Statement::Loop(rest)] },
        ])
    }

    /// Whether a condition is the same for all lanes: a comparison of indices outside the strip.
    fn is_uniform(&self, condition: &Expression) -> bool {
        match condition {
            Expression::Condition(condition) => {
                !condition.mentions(self.index)
                    && !self.computed.iter().any(|index| condition.mentions(index))
            }
            Expression::Binary(_, left, right) => self.is_uniform(left) && self.is_uniform(right),
            Expression::Unary(_, operand) => self.is_uniform(operand),
            Expression::Literal(..) => true,
            _ => false,
        }
    }
}

/// An index replaced by an expression.
struct Substitute<'a> {
    index: &'a Var,
    value: &'a Nat,
}

impl Substitute<'_> {
    fn substitution(&self) -> Substitution {
        Substitution::from([(self.index.clone(), self.value.clone())])
    }
}

impl Rewrite for Substitute<'_> {
    fn nat(&mut self, nat: &Nat) -> Nat {
        nat.substitute(&self.substitution())
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::Condition(condition.substitute(&self.substitution()))
    }
}

fn collect_groups<'s>(steps: &'s [LaneStep], groups: &mut Vec<&'s [Statement]>) {
    for step in steps {
        match step {
            LaneStep::Lanes(group) | LaneStep::Rest { statements: group, .. } => groups.push(group),
            LaneStep::Least { .. } => {}
            LaneStep::For { body, .. } => collect_groups(body, groups),
            LaneStep::If(_, then, otherwise) => {
                collect_groups(then, groups);
                collect_groups(otherwise, groups);
            }
        }
    }
}

/// Private arrays are declared once for the strip.
fn without_memories(steps: Vec<LaneStep>) -> Vec<LaneStep> {
    let steps = steps.into_iter().map(|step| match step {
        LaneStep::Lanes(group) => LaneStep::Lanes(
            group.into_iter().filter(|statement| !matches!(statement, Statement::DeclareBuffer(_))).collect(),
        ),
        LaneStep::For { index, extent, origin, body } => {
            LaneStep::For { index, extent, origin, body: without_memories(body) }
        }
        LaneStep::If(condition, then, otherwise) => {
            LaneStep::If(condition, without_memories(then), without_memories(otherwise))
        }
        LaneStep::Least { .. } | LaneStep::Rest { .. } => step,
    });
    steps.filter(|step| !matches!(step, LaneStep::Lanes(group) if group.is_empty())).collect()
}

/// What statements declare.
#[derive(Default)]
struct Declared {
    variables: Vec<Variable>,
    indices: Vec<Var>,
}

impl Declared {
    fn of(statements: &[Statement]) -> Declared {
        let mut declared = Declared::default();
        for statement in statements {
            match statement {
                Statement::Declare(variable, _) => declared.variables.push(variable.clone()),
                Statement::CallFunction { results, .. } => declared.variables.extend(results.iter().cloned()),
                Statement::DeclareIndex { index, .. } | Statement::DeclareValue { index, .. } => {
                    declared.indices.push(index.clone());
                }
                // What stands in a block is not seen outside of it.
                _ => {}
            }
        }
        declared
    }
}

/// What statements mention.
#[derive(Default)]
pub(super) struct Used {
    pub(super) variables: BTreeSet<String>,
    pub(super) assigned: BTreeSet<String>,
    pub(super) declared: BTreeSet<String>,
    pub(super) indices: BTreeSet<Var>,
}

impl Used {
    pub(super) fn of(statements: &[Statement]) -> Used {
        let mut used = Used::default();
        used.block(statements);
        used
    }
}

impl Rewrite for Used {
    fn nat(&mut self, nat: &Nat) -> Nat {
        self.indices.extend(nat.variables());
        nat.clone()
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        self.indices.extend(condition.variables());
        Expression::Condition(condition.clone())
    }

    fn variable(&mut self, variable: &Variable) -> Variable {
        self.variables.insert(variable.name.clone());
        variable.clone()
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        if let Statement::Assign(variable, _) = statement {
            self.assigned.insert(variable.name.clone());
        }
        self.declared.extend(statement.declared_variables().iter().map(|variable| variable.name.clone()));
        self.parts(statement)
    }
}

/// Loads in a sequential loop that are the same in each of its steps, but far apart for neighbouring lanes, happen before the loop:
/// a vector of such elements is expensive to gather.
fn advance_loads(body: Vec<Statement>, index: &Var, buffers: &[Buffer]) -> Vec<Statement> {
    let mut count = 0;
    let mut result = Vec::new();
    for statement in body {
        let Statement::Loop(repetition) = &statement else {
            result.push(statement);
            continue;
        };
        let varying = declared_indices(&repetition.body);
        let inner = loop_indices(&repetition.body);
        let stays = |nat: &Nat| {
            !nat.mentions(&repetition.index)
                && !varying.iter().chain(&inner).any(|variable| nat.mentions(variable))
        };
        let mut loads: Vec<(BufferId, Nat, ValueType)> = Vec::new();
        for load in Accesses::of(&repetition.body).loads {
            let is_input = buffers
                .get(load.buffer.0)
                .is_some_and(|buffer| matches!(buffer.role, BufferRole::Parameter(_)));
            let apart = !matches!(coefficient(&load.index, index), Some(0 | 1));
            let key = (load.buffer, load.index, load.ty);
            if is_input
                && apart
                && load.certainty == Certainty::Always
                && stays(&key.1)
                && !loads.contains(&key)
            {
                loads.push(key);
            }
        }
        let mut advanced = Vec::new();
        for (buffer, place, ty) in loads {
            let name = format!("{}_of_{}_{count}", buffers[buffer.0].name, index.name());
            count += 1;
            let variable = Variable { name, ty };
            let value = Expression::Load(buffer, place.clone(), ty);
            result.push(Statement::Declare(variable.clone(), Some(value)));
            advanced.push((buffer, place, variable));
        }
        result.extend(Advance { advanced }.statement(&statement));
    }
    result
}

fn loop_indices(body: &[Statement]) -> BTreeSet<Var> {
    let mut indices = BTreeSet::new();
    for statement in body {
        if let Statement::Loop(repetition) = statement {
            indices.insert(repetition.index.clone());
        }
        indices.extend(statement.blocks().into_iter().flat_map(loop_indices));
    }
    indices
}

struct Advance {
    advanced: Vec<(BufferId, Nat, Variable)>,
}

impl Rewrite for Advance {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        let advanced = self.advanced.iter().find(|(b, place, v)| (*b, place, v.ty) == (buffer, &index, ty));
        match advanced {
            Some((_, _, variable)) => Expression::Variable(variable.clone()),
            None => Expression::Load(buffer, index, ty),
        }
    }
}

/// Whether the steps of a loop do not depend on each other: the loop says so, or no step reads what another one writes and no two
/// write the same element.
pub(super) fn is_independent(repetition: &Loop, ranges: &Ranges) -> bool {
    let body = &repetition.body;
    let used = Used::of(body);
    if used.assigned.difference(&used.declared).next().is_some() || has_parallel_loops(body) {
        return false;
    }
    if repetition.workers != Workers::Sequential {
        return true;
    }
    let accesses = Accesses::of(body);
    let own = declared_buffers(body);
    let loaded = accesses.loaded();
    let mut seen = BTreeSet::new();
    let mut inside = ranges.clone();
    inside.declare(&repetition.index, Nat::zero(), Some(repetition.extent.clone()));
    accesses.stores.iter().filter(|store| !own.contains(&store.buffer)).all(|store| {
        let alone = seen.insert(store.buffer) && !loaded.contains(&store.buffer);
        alone
            && store.depth == 0
            && store.ty.lanes == 1
            && declared_indices(body).iter().all(|index| !store.index.mentions(index))
            && coefficient(&store.index, &repetition.index).is_some_and(|coefficient| coefficient != 0)
    })
}

fn has_parallel_loops(body: &[Statement]) -> bool {
    body.iter().any(|statement| {
        matches!(statement, Statement::Loop(inner) if inner.workers != Workers::Sequential)
            || statement.blocks().into_iter().any(has_parallel_loops)
    })
}
