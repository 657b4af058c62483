//! Which private arrays become variables: a survey of how they are used, and the cost of writing loops out
//! for them.

use std::ops::RangeInclusive;

use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::{
    Buffer, BufferId, BufferRole, Expression, Loop, Statement, Stored, ValueType, Workers,
};
use crate::ir::nat::{Nat, Ranges, Var};

/// The largest number of variables for an array: more do not fit into the registers of a work-item.
const MOST_REGISTERS: u64 = 128;

/// The largest number of statements of a kernel after loops are written out: longer texts take long to
/// compile, and nobody reads them.
const MOST_STATEMENTS: u64 = 1500;

/// The lengths of arrays that stay arrays if no loop goes over them again and again: compilers unroll their
/// loops on every device, and make registers of them then. The text stays short. Loops of more iterations are
/// unrolled only in part on NVIDIA's GPUs.
const LEFT_TO_COMPILERS: RangeInclusive<u64> = 8..=16;

/// The number of parts of an expression that count as one statement: an operator and its operands.
const PARTS_OF_A_STATEMENT: u64 = 3;

/// The cost of a remaining loop, in statements, each time that it is written out with a loop around it. Each
/// copy of a loop takes long itself, and costs more to compile than it saves.
const COPIED_LOOP: u64 = 16;

/// The arrays of a kernel that become variables, and the loops that are written out for them.
pub(crate) struct WrittenOut {
    arrays: FlatSet<BufferId>,
    loops: FlatSet<Var>,
}

impl WrittenOut {
    /// Decides which arrays of a kernel become variables.
    pub(crate) fn of(body: &[Statement], buffers: &[Buffer]) -> WrittenOut {
        let mut survey = Survey::of(buffers);
        survey.block(body);
        let arrays = choose(body, buffers, &survey);
        let usages = arrays.iter().filter_map(|id| survey.uses.get(id).and_then(Option::as_ref));
        let loops = usages.flat_map(|usage| usage.loops.iter().cloned()).collect();
        WrittenOut { arrays, loops }
    }

    /// The number of statements of a part of the kernel after loops are written out.
    pub(crate) fn statements(&self, part: &[Statement]) -> u64 {
        Cost::of(part).with(&self.loops, false)
    }

    /// Whether all these arrays become variables in another form of the kernel, too.
    pub(crate) fn is_kept_in(&self, body: &[Statement], buffers: &[Buffer]) -> bool {
        self.arrays.is_subset(&WrittenOut::of(body, buffers).arrays)
    }
}

/// The arrays that become variables. A loop is not written out if it declares an array that stays an array:
/// the declaration would occur several times.
pub(super) fn choose(body: &[Statement], buffers: &[Buffer], survey: &Survey<'_>) -> FlatSet<BufferId> {
    // Most kernels have no private arrays.
    if survey.uses.is_empty() {
        return FlatSet::new();
    }
    let cost = Cost::of(body);
    let mut refused: FlatSet<BufferId> = FlatSet::new();
    loop {
        let mut unrolled = FlatSet::new();
        let mut chosen = FlatSet::new();
        for (id, usage) in survey.uses.iter().filter(|(id, _)| !refused.contains(id)) {
            let (Some(usage), Some(buffer)) = (usage, buffers.get(id.0)) else { continue };
            let registers = registers_of(buffer, usage.stored.unwrap_or(usage.ty));
            if registers.is_none_or(|registers| usage.is_left_to_compilers(registers)) {
                continue;
            }
            // An array needs no further loops written out if others already need these.
            if !chosen.is_empty() && usage.loops.is_subset(&unrolled) {
                chosen.insert(*id);
                continue;
            }
            let wanted: FlatSet<Var> = unrolled.iter().chain(&usage.loops).cloned().collect();
            if cost.with(&wanted, false) <= MOST_STATEMENTS {
                unrolled = wanted;
                chosen.insert(*id);
            }
        }
        let mut whole = FlatSet::new();
        loops_with_arrays(body, &mut Vec::new(), &chosen, &mut whole);
        let needs_whole = |id: &&BufferId| {
            let loops = survey.uses.get(*id).and_then(|usage| usage.as_ref()).map(|usage| &usage.loops);
            loops.is_some_and(|loops| !loops.is_disjoint(&whole))
        };
        match chosen.iter().find(needs_whole) {
            Some(id) => refused.insert(*id),
            None => return chosen,
        };
    }
}

/// The loops that declare arrays other than the chosen ones.
fn loops_with_arrays(
    block: &[Statement],
    around: &mut Vec<Var>,
    chosen: &FlatSet<BufferId>,
    found: &mut FlatSet<Var>,
) {
    for statement in block {
        if let Statement::DeclareBuffer(id) = statement
            && !chosen.contains(id)
        {
            found.extend(around.iter().cloned());
        }
        let depth = around.len();
        if let Statement::Loop(repetition) = statement {
            around.push(repetition.index.clone());
        }
        statement.blocks().for_each(|inner| loops_with_arrays(inner, around, chosen, found));
        around.truncate(depth);
    }
}

/// The number of variables that hold a buffer as values of this type; `None` if there are too many.
pub(super) fn registers_of(buffer: &Buffer, ty: ValueType) -> Option<u64> {
    let length = u64::try_from(buffer.length.as_constant()?).ok()?;
    Some(length / u64::from(ty.lanes)).filter(|count| *count <= MOST_REGISTERS)
}
/// How a private array is used.
pub(super) struct Usage {
    /// The loops that its indices mention.
    pub(super) loops: FlatSet<Var>,
    /// The narrowest type in which it is stored: the type of the variables.
    pub(super) stored: Option<ValueType>,
    /// The narrowest type in which it is accessed.
    pub(super) ty: ValueType,
    /// Whether a loop accesses the same elements in each of its iterations.
    pub(super) is_repeated: bool,
}

impl Usage {
    /// Whether a compiler makes registers of an array of this length as well, and the text stays short.
    fn is_left_to_compilers(&self, registers: u64) -> bool {
        !self.loops.is_empty() && !self.is_repeated && LEFT_TO_COMPILERS.contains(&registers)
    }
}

/// Finds out how private arrays are used.
pub(super) struct Survey<'b> {
    pub(super) buffers: &'b [Buffer],
    /// The sequential loops with known trip counts around the current code.
    pub(super) loops: FlatMap<Var, u64>,
    /// The number of all loops in time around the current code.
    around: usize,
    /// `None` for an array that must stay one.
    pub(super) uses: FlatMap<BufferId, Option<Usage>>,
}

impl<'b> Survey<'b> {
    pub(super) fn of(buffers: &'b [Buffer]) -> Survey<'b> {
        Survey { buffers, loops: FlatMap::new(), around: 0, uses: FlatMap::new() }
    }
}

impl Survey<'_> {
    pub(super) fn block(&mut self, block: &[Statement]) {
        for statement in block {
            statement.each_part(&mut |part| {
                if let Expression::Load(buffer, index, ty) = part {
                    self.access(*buffer, index, *ty);
                }
            });
            if let Some(stored) = statement.stored() {
                self.store(stored);
            }
            match statement {
                Statement::Loop(repetition) => {
                    let steps = known_steps(repetition);
                    self.loops.extend(steps.map(|steps| (repetition.index.clone(), steps)));
                    let is_in_time = repetition.workers == Workers::Sequential;
                    self.around += usize::from(is_in_time);
                    self.block(&repetition.body);
                    self.around -= usize::from(is_in_time);
                    self.loops.remove(&repetition.index);
                }
                _ => statement.blocks().for_each(|block| self.block(block)),
            }
        }
    }

    fn store(&mut self, Stored { buffer, index, value, .. }: Stored<'_>) {
        let ty = value.ty();
        let lanes = Nat::constant(i128::from(ty.lanes));
        if ty.lanes > 1 && Ranges::new().divides(&lanes, index) != Some(true) {
            self.must_stay(buffer);
        }
        if let Some(usage) = self.access(buffer, index, ty) {
            let narrowest = usage.stored.filter(|stored| stored.lanes < ty.lanes);
            usage.stored = narrowest.or(Some(ty));
        }
    }

    /// Notes that an array must stay one: a part of a variable cannot be stored.
    fn must_stay(&mut self, id: BufferId) {
        if self.buffers.get(id.0).is_some_and(|buffer| buffer.role == BufferRole::Private) {
            self.uses.insert(id, None);
        }
    }

    /// Notes an access; `None` where the array must stay one. A vector may be read from parts of several
    /// variables.
    fn access(&mut self, id: BufferId, index: &Nat, ty: ValueType) -> Option<&mut Usage> {
        if self.buffers.get(id.0).is_none_or(|buffer| buffer.role != BufferRole::Private) {
            return None;
        }
        let loops = index.variables();
        let is_known = loops.iter().all(|variable| self.loops.contains_key(variable));
        let new = || Some(Usage { loops: FlatSet::new(), stored: None, ty, is_repeated: false });
        let is_repeated = self.around > loops.len();
        let entry = self.uses.get_or_insert_with(id, new);
        if !is_known {
            *entry = None;
        }
        let usage = entry.as_mut()?;
        usage.loops.extend(loops);
        usage.is_repeated |= is_repeated;
        if ty.lanes < usage.ty.lanes {
            usage.ty = ty;
        }
        Some(usage)
    }
}

/// The trip count of a sequential loop, where it is known. Only such a loop can be written out.
pub(super) fn known_steps(repetition: &Loop) -> Option<u64> {
    let in_time = repetition.workers == Workers::Sequential && !repetition.may_end_early();
    repetition.extent.as_constant().filter(|_| in_time).and_then(|steps| u64::try_from(steps).ok())
}

/// The cost of a block: the sum of its statements outside loops, and the cost of each of its loops.
struct Cost<'s> {
    /// The number of statements, also of branches; a long one counts as several.
    statements: u64,
    loops: Vec<(&'s Loop, Cost<'s>)>,
}

impl<'s> Cost<'s> {
    fn of(block: &'s [Statement]) -> Cost<'s> {
        let mut cost = Cost { statements: 0, loops: Vec::new() };
        block.iter().for_each(|statement| cost.add(statement));
        cost
    }

    fn add(&mut self, statement: &'s Statement) {
        let mut parts: u64 = 0;
        statement.each_part(&mut |_| parts += 1);
        self.statements = self.statements.saturating_add(parts.div_ceil(PARTS_OF_A_STATEMENT).max(1));
        match statement {
            Statement::Loop(repetition) => self.loops.push((repetition, Cost::of(&repetition.body))),
            _ => statement.blocks().flatten().for_each(|inner| self.add(inner)),
        }
    }

    /// The number of statements once some loops, and perhaps a loop around this block, are written out.
    fn with(&self, unrolled: &FlatSet<Var>, is_copied: bool) -> u64 {
        self.loops.iter().fold(self.statements, |sum, (repetition, body)| {
            let (times, copy, is_copied) = match unrolled.contains(&repetition.index) {
                true => (known_steps(repetition).unwrap_or(1), 0, true),
                false if is_copied => (1, COPIED_LOOP, true),
                false => (1, 0, false),
            };
            let inner = body.with(unrolled, is_copied).saturating_mul(times);
            sum.saturating_add(copy).saturating_add(inner)
        })
    }
}
