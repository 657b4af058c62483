//! Groups that take long begin first.
//!
//! A device starts the groups of a kernel in the order of their numbers. Where data says how many steps each
//! takes, a long one may be among the last, and all others have ended when it is still at work. If the long
//! ones begin first, the others fill what these leave free, and all end at about the same time (list
//! scheduling by decreasing time: Graham, "Bounds on Multiprocessing Timing Anomalies", SIAM Journal on
//! Applied Mathematics 17, 1969).
//!
//! In: code in which a kernel is a loop over groups, and a group reads from memory how many steps its
//! work-items do together. Out: the same, with a kernel before it that numbers the groups anew, and stores
//! which group has each number. Each group of that kernel looks at [`BLOCK`] groups and puts the long ones
//! before the others. The first numbers go to the first one of every block, the next ones to the second one
//! of every block, and so on. So no group has to know how many long ones other blocks have, and yet all long
//! ones begin early.
//!
//! Every group still does its own work, once: the new numbers are a permutation of the old ones, whatever the
//! memory holds.

use super::launch::is_size;
use crate::flat::FlatSet;
use crate::ir::code::{Code, KernelCode};
use crate::ir::kernel::{
    Alternation, Buffer, BufferId, BufferRole, Expression, Loop, Repetition, Statement, Trip, Unrolling,
    Uses, Variable, Workers, Writes,
};
use crate::ir::names::{Fresh, Names};
use crate::ir::nat::{Condition, Nat, Var};
use crate::ir::scalar::{BinaryOperator, Literal, ScalarType};

/// The number of groups that are ordered together.
const BLOCK: i128 = 128;

/// A group with more steps takes long.
const MOST_STEPS: i128 = 8;

/// The kernels of this code whose groups read how many steps they take begin with the groups that take long.
pub(super) fn long_groups_first(mut code: Code) -> Code {
    // The user counts the kernels that launches are stated for.
    if !code.program.launches.is_empty() {
        return code;
    }
    let mut left = code.kernels.len();
    while let Some(position) = left.checked_sub(1) {
        left = position;
        let Some(KernelCode { body, names }) = code.kernels.get(position).cloned() else { continue };
        let Some(work) = Work::of(&body, &code) else { continue };
        let behind = repetitions_behind_numbering(position, &work, &code);
        let starts = behind.iter().filter_map(|number| code.repetitions.get(*number));
        let place = starts.map(|repetition| repetition.kernels.start).fold(position, usize::min);
        let (numbering, body) = Numbering::of(work, names, &mut code).kernels(&body, &mut code);
        if let Some(kernel) = code.kernels.get_mut(position) {
            kernel.body = body;
        }
        for (number, repetition) in code.repetitions.iter_mut().enumerate() {
            make_room(repetition, place, repetition.kernels.contains(&position) && !behind.contains(&number));
        }
        code.kernels.insert(place, numbering);
        left += 1;
    }
    code
}

/// The repetitions that launch a kernel and do not change what it reads to number its groups: its groups are
/// numbered once, before the outermost of these.
fn repetitions_behind_numbering(position: usize, work: &Work, code: &Code) -> Vec<usize> {
    // Inner repetitions come first.
    let repetitions = code.repetitions.iter().enumerate();
    let around = repetitions.filter(|(_, repetition)| repetition.kernels.contains(&position));
    let same = around.take_while(|(_, repetition)| !changes(repetition, &work.inputs, code));
    same.map(|(number, _)| number).collect()
}

/// Whether the applications of a repetition change one of these buffers.
fn changes(repetition: &Repetition, buffers: &FlatSet<BufferId>, code: &Code) -> bool {
    let of_array = |array: &Alternation| [array.input, array.before, array.after, array.output];
    let mut kernels = code.kernels.iter().skip(repetition.kernels.start).take(repetition.kernels.len());
    repetition.arrays.iter().flat_map(of_array).any(|buffer| buffers.contains(&buffer))
        || kernels.any(|kernel| Writes::of(&kernel.body).stored.iter().any(|buffer| buffers.contains(buffer)))
}

/// Counts one more kernel, at a place in a repetition or outside of it.
fn make_room(repetition: &mut Repetition, place: usize, is_inside: bool) {
    let Repetition { kernels, end, .. } = repetition;
    if is_inside {
        kernels.end += 1;
        if let Some(end) = end.as_mut().filter(|end| place < kernels.start + end.condition) {
            end.condition += 1;
        }
    } else if place < kernels.end {
        *kernels = kernels.start + 1..kernels.end + 1;
    }
}

/// The work of a kernel.
struct Work {
    /// The loop over its groups.
    groups: Loop,
    /// What a group computes to know the number of its steps.
    declarations: Vec<Statement>,
    /// The number of its steps.
    steps: Nat,
    /// What it reads for that.
    inputs: FlatSet<BufferId>,
}

impl Work {
    /// The work of a kernel whose groups read from memory how many steps they take; `None` for others.
    fn of(body: &[Statement], code: &Code) -> Option<Work> {
        let [outside @ .., Statement::Loop(groups)] = body else { return None };
        let is_changed = |size: &Var| code.repetitions.iter().any(|repetition| repetition.gives(size));
        let extent = &groups.extent;
        let is_known = is_size(extent, &code.sizes) && !extent.variables().iter().any(is_changed);
        if groups.workers != Workers::WorkGroup(0) || !is_known || !outside.iter().all(Statement::is_leaf) {
            return None;
        }
        let written = Writes::of(body);
        groups.body.iter().enumerate().find_map(|(position, statement)| {
            let steps = steps_of_group(statement)?;
            let before: Vec<&Statement> = outside.iter().chain(&groups.body[..position]).collect();
            let declarations = declarations(&before, steps)?;
            let Uses { buffers: inputs, scalars, sizes, .. } = Uses::of(&declarations);
            let reads_input =
                !inputs.is_empty() && inputs.iter().all(|input| !written.stored.contains(input));
            let stays = scalars.iter().all(|name| !written.assigned.contains(name));
            let is_same = !sizes.iter().any(is_changed);
            let (groups, steps) = (groups.clone(), steps.clone());
            (reads_input && stays && is_same).then_some(Work { groups, declarations, steps, inputs })
        })
    }
}

/// The number of iterations of a loop that the work-items of a group do together.
fn steps_of_group(statement: &Statement) -> Option<&Nat> {
    let Statement::Loop(repetition) = statement else { return None };
    let is_shared = |inside: &Statement| matches!(inside, Statement::Loop(inner) if matches!(inner.workers, Workers::Local(_)));
    let is_in_time = repetition.workers == Workers::Sequential;
    (is_in_time && repetition.body.iter().any(is_shared)).then_some(&repetition.extent)
}

/// Those of these statements that declare what a number depends on, in their order; `None` where something
/// else is needed.
fn declarations(before: &[&Statement], number: &Nat) -> Option<Vec<Statement>> {
    let mut needed = Uses { sizes: number.variables(), ..Uses::default() };
    let mut found = Vec::new();
    for statement in before.iter().copied().rev() {
        let is_index = statement.declared_index().is_some_and(|index| needed.sizes.contains(index));
        let mut variables = statement.declared_variables().iter();
        if !is_index && !variables.any(|variable| needed.scalars.contains(&variable.name)) {
            continue;
        }
        match statement {
            Statement::Declare(_, Some(_))
            | Statement::DeclareIndex { .. }
            | Statement::DeclareValue { .. } => {}
            _ => return None,
        }
        needed.add(Uses::of(std::slice::from_ref(statement)));
        found.push(statement.clone());
    }
    found.reverse();
    Some(found)
}

/// Builds the kernel that numbers the groups anew, and the one in which they work in that order.
struct Numbering {
    work: Work,
    /// Whether a group takes long: an element for each group of a block.
    flags: BufferId,
    /// The group of each number.
    order: BufferId,
    fresh: Fresh,
}

impl Numbering {
    fn of(work: Work, names: Names, code: &mut Code) -> Numbering {
        let mut fresh = code.fresh.clone();
        fresh.with_names(names);
        let position = code.buffers.iter().filter(|buffer| buffer.role.temporary().is_some()).count();
        let mut buffer = |wanted: &str, element, length: Nat, role| {
            let is_taken = |name: &str| {
                let mut kernels = code.kernels.iter();
                kernels.any(|kernel| kernel.names.has(name))
                    || code.buffers.iter().any(|buffer| *buffer.name == *name)
            };
            let name = loop {
                let name = fresh.name(wanted);
                if !is_taken(&name) {
                    break name;
                }
            };
            code.buffers.push(Buffer { name, element, length, role });
            BufferId(code.buffers.len() - 1)
        };
        let flags = buffer("is_long", COUNT, Nat::constant(BLOCK), BufferRole::Local);
        let groups = work.groups.extent.clone();
        let order = buffer("order", ScalarType::I64, groups, BufferRole::Temporary(position));
        Numbering { work, flags, order, fresh }
    }

    /// The kernel that numbers the groups, and the body of the one that works, which is this one so far.
    fn kernels(mut self, body: &[Statement], code: &mut Code) -> (KernelCode, Vec<Statement>) {
        let numbering = self.numbering(code);
        let numbering = KernelCode { body: vec![numbering], names: self.fresh.names().clone() };
        let outside = body.iter().take(body.len().saturating_sub(1)).cloned();
        let working = self.working();
        code.fresh = self.fresh;
        (numbering, outside.chain([working]).collect())
    }

    /// The loop over the groups in their new order.
    fn working(&mut self) -> Statement {
        let Work { groups, .. } = &self.work;
        let place = self.fresh.index("place");
        let value = Expression::Load(self.order, Nat::variable(&place), ScalarType::I64.into());
        let group =
            Statement::DeclareIndex { index: groups.index.clone(), value, length: groups.extent.clone() };
        let body = std::iter::once(group).chain(groups.body.iter().cloned()).collect();
        Statement::Loop(Loop { index: place, body, ..groups.clone() })
    }

    /// The loop over blocks of groups.
    fn numbering(&mut self, code: &Code) -> Statement {
        let groups = &self.work.groups.extent;
        let blocks = (groups + Nat::constant(BLOCK - 1)).divide(&Nat::constant(BLOCK));
        let blocks = code.sizes_known.simplify(&blocks);
        let block = self.fresh.index(&Workers::WorkGroup(0).name());
        let body = vec![self.mark(&block), self.store(&block, &blocks)];
        let origin = "the order of the groups of a kernel below: those that take long first".to_owned();
        Statement::Loop(Loop { origin, ..self.over(Workers::WorkGroup(0), block, blocks, body) })
    }

    /// The work-items of a group find out which groups of a block take long.
    fn mark(&mut self, block: &Var) -> Statement {
        let Work { groups, declarations, steps, .. } = &self.work;
        let item = self.fresh.index(&Workers::Local(0).name());
        let group = Nat::constant(BLOCK) * Nat::variable(block) + Nat::variable(&item);
        let exists = Expression::comparison(Condition::Less(group.clone(), groups.extent.clone()));
        let is_long = Expression::comparison(Condition::Less(Nat::constant(MOST_STEPS), steps.clone()));
        let flag = |value| Statement::Store(self.flags, Nat::variable(&item), value);
        let bound = Some(groups.extent.clone());
        let number = Statement::DeclareValue { index: groups.index.clone(), value: group, bound };
        let marked = flag(select(is_long, count(1), count(0)));
        let then = std::iter::once(number).chain(declarations.iter().cloned()).chain([marked]).collect();
        let body = vec![Statement::If(exists, then, vec![flag(count(0))])];
        Statement::Loop(self.over(Workers::Local(0), item, Nat::constant(BLOCK), body))
    }

    /// They give each group of the block its number.
    fn store(&mut self, block: &Var, blocks: &Nat) -> Statement {
        let groups = self.work.groups.extent.clone();
        let item = self.fresh.index(&Workers::Local(0).name());
        let own = Nat::variable(&item);
        let group = Nat::constant(BLOCK) * Nat::variable(block) + &own;
        let exists = Expression::comparison(Condition::Less(group.clone(), groups.clone()));
        let [before, total] = ["before", "total"].map(|name| self.fresh.variable(name, COUNT.into()));
        let counted = self.count_long(&own, [&before, &total]);
        let [before, total] = [before, total].map(Expression::Variable);
        let shorter = binary(BinaryOperator::Subtract, Expression::Index(own.clone(), COUNT), before.clone());
        let behind = binary(BinaryOperator::Add, total, shorter);
        let is_long = binary(BinaryOperator::NotEqual, self.flag(&own), count(0));
        // The place of a group among those of its block.
        let place = self.fresh.index("place");
        let value = select(is_long, before, behind);
        let declared = Statement::DeclareIndex { index: place.clone(), value, length: Nat::constant(BLOCK) };
        // All blocks have a group at a place before `rest`, and all but the last one at each other.
        let place = Nat::variable(&place);
        let rest = &groups - Nat::constant(BLOCK) * (blocks - Nat::one());
        let missing = Nat::max(&(&place - rest), &Nat::zero());
        let number = blocks * &place + Nat::variable(block) - missing;
        let numbered = Statement::Store(self.order, number, Expression::Index(group, ScalarType::I64));
        let then = counted.into_iter().chain([declared, numbered]).collect();
        let body = vec![Statement::If(exists, then, Vec::new())];
        Statement::Loop(self.over(Workers::Local(0), item, Nat::constant(BLOCK), body))
    }

    /// Counts the groups of the block that take long: those before a place, and all.
    fn count_long(&mut self, place: &Nat, [before, total]: [&Variable; 2]) -> Vec<Statement> {
        let other = self.fresh.index(&Workers::Sequential.name());
        let index = Nat::variable(&other);
        let is_long = self.fresh.variable("found", COUNT.into());
        let found = || Expression::Variable(is_long.clone());
        let is_before = Expression::comparison(Condition::Less(index.clone(), place.clone()));
        let add = |sum: &Variable, value| {
            let sum_before = Expression::Variable(sum.clone());
            Statement::Assign(sum.clone(), binary(BinaryOperator::Add, sum_before, value))
        };
        let body = vec![
            Statement::Declare(is_long.clone(), Some(self.flag(&index))),
            add(before, select(is_before, found(), count(0))),
            add(total, found()),
        ];
        let counting = self.over(Workers::Sequential, other, Nat::constant(BLOCK), body);
        let start = |sum: &Variable| Statement::Declare(sum.clone(), Some(count(0)));
        vec![start(before), start(total), Statement::Loop(counting)]
    }

    fn flag(&self, place: &Nat) -> Expression {
        Expression::Load(self.flags, place.clone(), COUNT.into())
    }

    /// A loop without a pattern of its own, at the place of the one over groups.
    fn over(&self, workers: Workers, index: Var, extent: Nat, body: Vec<Statement>) -> Loop {
        let Loop { source, order, .. } = self.work.groups;
        let (trip, unrolling, origin) = (Trip::Any, Unrolling::AsItLikes, String::new());
        Loop { workers, index, extent, trip, unrolling, order, origin, source, body }
    }
}

/// The type of numbers of groups of a block.
const COUNT: ScalarType = ScalarType::U32;

fn count(number: i128) -> Expression {
    Expression::Literal(Literal::Integer(number), COUNT)
}

fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}

fn select(condition: Expression, then: Expression, otherwise: Expression) -> Expression {
    Expression::Select(Box::new(condition), Box::new(then), Box::new(otherwise))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::kernel::End;

    /// What a repetition launches, and how much of that for its condition, when a kernel is added.
    fn with_room(place: usize, is_inside: bool) -> (std::ops::Range<usize>, usize) {
        let end = Some(End { condition: 2, goes_on: BufferId(0), copies: 1 });
        let (count, arrays) = (Nat::constant(5), Vec::new());
        let mut repetition = Repetition { kernels: 3..8, count, step: None, portion: None, arrays, end };
        make_room(&mut repetition, place, is_inside);
        (repetition.kernels, repetition.end.map_or(0, |end| end.condition))
    }

    #[test]
    fn repetitions_launch_the_same_kernels_and_those_that_number_their_groups() {
        assert_eq!(with_room(1, false), (4..9, 2), "far before it");
        assert_eq!(with_room(3, false), (4..9, 2), "right before it");
        assert_eq!(with_room(3, true), (3..9, 3), "before its first kernel, which is of the condition");
        assert_eq!(with_room(4, true), (3..9, 3), "before the last kernel of the condition");
        assert_eq!(with_room(5, true), (3..9, 2), "behind the condition");
        assert_eq!(with_room(8, false), (3..8, 2), "behind it");
    }
}
