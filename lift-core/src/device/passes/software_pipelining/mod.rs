//! Software pipelining: an iteration loads from global memory while the one before it computes.
//!
//! A load takes hundreds of cycles, and a work-item that needs its value waits for it. `reduceSeqPipelined`
//! asks for the remedy that people write by hand (software pipelining; Volkov and Demmel, SC 2008, and the
//! vendors' guides for matrix products): the loads of iteration `k + 1` stand before the computation of
//! iteration `k`.
//!
//! - `prefetch` finds the loads of an iteration that can be made one iteration earlier, and the body without
//!   them. They read memory that the kernel does not write, and their addresses depend on nothing that the
//!   iteration computes.
//! - Here, each of them gets registers. They are loaded for iteration 0 before the loop. For the next
//!   iteration, if there is one, they are loaded right after the statements of this iteration that use them.
//! - A tile in local memory that is stored from such registers becomes a double buffer. Iterations use its
//!   halves by turns, so that the next tile can be stored before everybody has used this one. Barrier
//!   placement sees from the addresses that one barrier per iteration suffices. Where local memory would not
//!   suffice on every device, there is one tile and two barriers.
//! - Where a barrier follows the loads, they move behind it ([`sink_prefetches`]): then nothing is kept
//!   across it, which would cost memory on processors.
//!
//! This comes after private arrays are divided among work-items, and before barriers are placed: its
//! registers are those of one work-item.

mod prefetch;

use super::context::{Prefetched, Resources};
use crate::flat::{FlatMap, FlatSet};
use crate::ir::kernel::fold::Fold;
use crate::ir::kernel::{
    self, Buffer, BufferId, BufferRole, Expression, Loop, Order, Statement, Unrolling, ValueType, Workers,
};
use crate::ir::nat::{Condition, Nat, Ranges, Substitution, Var};
use prefetch::{Early, Frame, Load, loads_of_step};

/// The local memory, in bytes, of every device with a full profile (OpenCL 1.2, table 4.3).
const LOCAL_MEMORY: i128 = 32 * 1024;

/// The length of a half is rounded up to a multiple of this, so that vectors in the second half are aligned.
const ALIGNMENT: i128 = 16;

/// Pipelines these loops: moves their loads one iteration earlier.
pub(crate) fn pipeline_loops(
    body: Vec<Statement>,
    pipelined: &FlatSet<Var>,
    local: [u64; 3],
    ranges: &Ranges,
    resources: Resources<'_>,
) -> (Vec<Statement>, Prefetched) {
    if pipelined.is_empty() {
        return (body, Prefetched::default());
    }
    let written = kernel::nested(&body).filter_map(Statement::stored_buffer).collect();
    let mut pipeline = Pipeline {
        pipelined,
        written,
        local,
        ranges: ranges.clone(),
        resources,
        candidates: FlatMap::new(),
        registers: FlatSet::new(),
    };
    let body = pipeline.block(&body);
    let doubled = pipeline.doubled(&body);
    let registers = pipeline.registers;
    let body = double(&body, &doubled, pipeline.resources.buffers, ranges);
    (body, Prefetched { doubled: doubled.keys().copied().collect(), registers })
}

/// Moves early loads behind the barrier that directly follows them.
pub(crate) fn sink_prefetches(mut body: Vec<Statement>, pipelined: &Prefetched) -> Vec<Statement> {
    if !pipelined.registers.is_empty() {
        move_behind_barriers(&mut body, &pipelined.registers);
    }
    body
}

fn move_behind_barriers(block: &mut [Statement], registers: &FlatSet<BufferId>) {
    for first in 1..block.len() {
        let is_barrier = matches!(block.get(first), Some(Statement::Barrier { .. }));
        if is_barrier && block.get(first - 1).is_some_and(|statement| only_loads(statement, registers)) {
            block.swap(first - 1, first);
        }
    }
    for inner in block.iter_mut().flat_map(Statement::blocks_mut) {
        move_behind_barriers(inner, registers);
    }
}

/// Whether a statement does nothing but early loads.
fn only_loads(statement: &Statement, registers: &FlatSet<BufferId>) -> bool {
    match statement.stored_buffer() {
        Some(buffer) => registers.contains(&buffer),
        None => {
            !statement.is_leaf() && statement.blocks().flatten().all(|inner| only_loads(inner, registers))
        }
    }
}

/// Gives buffers room for two halves, and redirects every access to the half of its iteration.
fn double(
    body: &[Statement],
    doubled: &FlatMap<BufferId, Var>,
    buffers: &mut [Buffer],
    ranges: &Ranges,
) -> Vec<Statement> {
    let mut halves = FlatMap::new();
    for (id, step) in doubled {
        let Some(buffer) = buffers.get_mut(id.0) else { continue };
        let half = up_to_alignment(&buffer.length);
        buffer.length = ranges.simplify(&(&half * Nat::constant(2)));
        halves.insert(*id, half * Nat::variable(step).modulo(&Nat::constant(2)));
    }
    Halves(halves).block(body)
}

fn up_to_alignment(length: &Nat) -> Nat {
    let alignment = Nat::constant(ALIGNMENT);
    (length + Nat::constant(ALIGNMENT - 1)).divide(&alignment) * alignment
}

/// The start of the half that an iteration uses, for each buffer.
struct Halves(FlatMap<BufferId, Nat>);

impl Halves {
    fn place(&self, buffer: BufferId, index: Nat) -> Nat {
        match self.0.get(&buffer) {
            Some(start) => index + start,
            None => index,
        }
    }
}

impl Fold for Halves {
    fn load(&mut self, buffer: BufferId, index: Nat, ty: ValueType) -> Expression {
        Expression::Load(buffer, self.place(buffer, index), ty)
    }

    fn store(&mut self, buffer: BufferId, index: Nat, value: Expression) -> Statement {
        Statement::Store(buffer, self.place(buffer, index), value)
    }
}

struct Pipeline<'r> {
    pipelined: &'r FlatSet<Var>,
    /// The buffers that the kernel stores to.
    written: FlatSet<BufferId>,
    local: [u64; 3],
    ranges: Ranges,
    resources: Resources<'r>,
    /// Local buffers that are stored from early loads, with the loops whose iterations store them.
    candidates: FlatMap<BufferId, Var>,
    registers: FlatSet<BufferId>,
}

impl Pipeline<'_> {
    /// Returns the loop with its early loads: those of iteration 0 before it, and those of the next iteration
    /// in each one.
    fn pipeline(&mut self, mut repetition: Loop) -> Vec<Statement> {
        let early = loads_of_step(&repetition, &self.written, self.local, &mut self.resources);
        let Early { body, loads, tiles } = early;
        if loads.is_empty() {
            repetition.origin += ": no load of a step can be made before it";
            return vec![Statement::Loop(repetition)];
        }
        let mut changed: Vec<Statement> =
            loads.iter().map(|load| Statement::DeclareBuffer(load.registers)).collect();
        let step = repetition.index.clone();
        let all: Vec<&Load> = loads.iter().collect();
        changed.extend(self.fetch(&all, &repetition, &Nat::zero()));
        let next = Nat::variable(&step) + Nat::one();
        repetition.body = Vec::new();
        let mut statements = body.into_iter().enumerate().peekable();
        let mut pending: Vec<&Load> = Vec::new();
        while let Some((position, statement)) = statements.next() {
            repetition.body.push(statement);
            pending.extend(loads.iter().filter(|load| load.position == position));
            let goes_on =
                statements.peek().is_some_and(|(next, _)| loads.iter().any(|load| load.position == *next));
            if !goes_on && !pending.is_empty() {
                repetition.body.extend(self.fetch(&pending, &repetition, &next));
                pending.clear();
            }
        }
        self.registers.extend(loads.iter().map(|load| load.registers));
        self.candidates.extend(tiles.into_iter().map(|tile| (tile, step.clone())));
        changed.push(Statement::Loop(repetition));
        changed
    }

    /// The loads of an iteration, if that iteration exists.
    fn fetch(&mut self, loads: &[&Load], repetition: &Loop, step: &Nat) -> Vec<Statement> {
        let exists = Condition::Less(step.clone(), repetition.extent.clone());
        let outside = self.ranges.clone();
        // Before the loop, it is not known that the loop has an iteration.
        if step.mentions(&repetition.index) {
            self.ranges = self.ranges.in_loop(repetition);
        }
        let decided = self.ranges.decide(&exists);
        self.ranges.assume(&exists);
        let of_step = Substitution::from([(repetition.index.clone(), step.clone())]);
        let mut fetched = Vec::new();
        let mut rest = loads;
        while let Some(first) = rest.first() {
            let alike = rest.iter().take_while(|load| load.frames == first.frames).count();
            let (together, others) = rest.split_at(alike);
            fetched.extend(self.nest(&first.frames, together, of_step.clone()));
            rest = others;
        }
        self.ranges = outside;
        match decided {
            Some(true) => fetched,
            Some(false) => Vec::new(),
            None => vec![Statement::If(
                Expression::Condition(self.ranges.simplify_condition(&exists)),
                fetched,
                Vec::new(),
            )],
        }
    }

    /// Puts loads inside the loops and conditions that stand around them.
    fn nest(&mut self, frames: &[Frame], loads: &[&Load], mut substitution: Substitution) -> Vec<Statement> {
        let Some((frame, inner)) = frames.split_first() else {
            let mut code = Substituted { substitution: &substitution, ranges: &self.ranges };
            let stores = loads.iter().map(|load| {
                let (index, value) = (code.nat(&load.index), code.expression(&load.value));
                Statement::Store(load.registers, index, value)
            });
            return stores.collect();
        };
        let outside = self.ranges.clone();
        let statement = match frame {
            Frame::If(condition) => {
                let condition = self.ranges.simplify_condition(&condition.substitute(&substitution));
                self.ranges.assume(&condition);
                let body = self.nest(inner, loads, substitution);
                Statement::If(Expression::Condition(condition), body, Vec::new())
            }
            Frame::Loop { workers, index, extent, trip, source } => {
                let extent = self.ranges.simplify(&extent.substitute(&substitution));
                let own = self.resources.fresh.index(index.name());
                substitution.insert(index.clone(), Nat::variable(&own));
                self.ranges = self.ranges.in_steps(&own, Some(&extent));
                let body = self.nest(inner, loads, substitution);
                let (unrolling, origin) = (Unrolling::AsItLikes, String::new());
                let (workers, trip, order, source) = (*workers, *trip, Order::Stated, *source);
                Statement::Loop(Loop {
                    workers,
                    index: own,
                    extent,
                    trip,
                    unrolling,
                    order,
                    origin,
                    source,
                    body,
                })
            }
        };
        self.ranges = outside;
        vec![statement]
    }

    /// The candidates that only code in their loops accesses, as long as there is local memory for them, with
    /// these loops.
    fn doubled(&self, body: &[Statement]) -> FlatMap<BufferId, Var> {
        let mut accessed = FlatMap::new();
        collect_accesses(body, &mut Vec::new(), &mut accessed);
        let bytes = |id: &BufferId| {
            let buffer =
                self.resources.buffers.get(id.0).filter(|buffer| buffer.role == BufferRole::Local)?;
            let length = up_to_alignment(&buffer.length).as_constant()?;
            Some(length.saturating_mul(buffer.element.bytes()))
        };
        let taken = accessed.keys().filter_map(bytes).fold(0, i128::saturating_add);
        let mut free = LOCAL_MEMORY.saturating_sub(taken);
        let mut doubled = FlatMap::new();
        for (id, step) in &self.candidates {
            let is_inside =
                accessed.get(id).is_some_and(|loops| loops.iter().all(|around| around.contains(step)));
            if let Some(bytes) = bytes(id).filter(|bytes| is_inside && *bytes <= free) {
                free -= bytes;
                doubled.insert(*id, step.clone());
            }
        }
        doubled
    }
}

impl Fold for Pipeline<'_> {
    fn known(&mut self) -> Option<&mut Ranges> {
        Some(&mut self.ranges)
    }

    fn statement(&mut self, statement: &Statement) -> Vec<Statement> {
        let rewritten = self.parts(statement);
        let is_pipelined = |repetition: &Loop| {
            repetition.workers == Workers::Sequential && self.pipelined.contains(&repetition.index)
        };
        match rewritten.as_slice() {
            [Statement::Loop(repetition)] if is_pipelined(repetition) => self.pipeline(repetition.clone()),
            _ => rewritten,
        }
    }
}

/// Substitutes another iteration in code.
struct Substituted<'s> {
    substitution: &'s Substitution,
    ranges: &'s Ranges,
}

impl Fold for Substituted<'_> {
    fn nat(&mut self, nat: &Nat) -> Nat {
        self.ranges.simplify(&nat.substitute(self.substitution))
    }

    fn condition(&mut self, condition: &Condition) -> Expression {
        Expression::Condition(self.ranges.simplify_condition(&condition.substitute(self.substitution)))
    }
}

/// The loops around each access to a buffer.
fn collect_accesses(
    block: &[Statement],
    around: &mut Vec<Var>,
    accessed: &mut FlatMap<BufferId, Vec<Vec<Var>>>,
) {
    for statement in block {
        let buffers: FlatSet<BufferId> =
            statement.loaded_buffers().chain(statement.stored_buffer()).collect();
        for buffer in buffers {
            accessed.get_or_default(buffer).push(around.clone());
        }
        let depth = around.len();
        if let Statement::Loop(repetition) = statement {
            around.push(repetition.index.clone());
        }
        statement.blocks().for_each(|inner| collect_accesses(inner, around, accessed));
        around.truncate(depth);
    }
}
