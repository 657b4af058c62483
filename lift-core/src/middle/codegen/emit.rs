//! Statements, as they are emitted: blocks, loops, and what they declare.

use super::error::{Error, Problem};
use super::generator::{Around, Generated, Generator};
use crate::ir::kernel::{
    Buffer, BufferId, BufferRole, Expression, Loop, Order, Statement, Trip, Unrolling, ValueType, Variable,
    Workers,
};
use crate::ir::nat::{Nat, Var};
use crate::ir::scalar::ScalarType;
use crate::ir::source::Source;
use crate::middle::view::View;

/// The largest number of iterations that are unrolled in the text. With more, nobody could read or compile
/// the kernel.
const MOST_UNROLLED: i128 = 1024;

impl Generator<'_> {
    pub(super) fn buffer(
        &mut self,
        wanted: &str,
        element: ScalarType,
        length: Nat,
        role: BufferRole,
    ) -> BufferId {
        let name = self.fresh.name(wanted);
        self.buffers.push(Buffer { name, element, length, role });
        BufferId(self.buffers.len() - 1)
    }

    pub(super) fn fresh_variable(&mut self, wanted: &str, ty: ValueType) -> Variable {
        self.fresh.variable(wanted, ty)
    }

    /// Declares a variable that holds a value.
    pub(super) fn declare(&mut self, wanted: &str, value: Expression) -> Variable {
        let variable = self.fresh_variable(wanted, value.ty());
        self.block.push(Statement::Declare(variable.clone(), Some(value)));
        variable
    }

    /// Collects the statements that `generate` emits into a block of their own.
    pub(super) fn in_block<T>(
        &mut self,
        generate: impl FnOnce(&mut Self) -> Generated<T>,
    ) -> Generated<(Vec<Statement>, T)> {
        let outer = std::mem::take(&mut self.block);
        let (shared_outside, named_outside) = (self.shared.len(), self.named.len());
        self.open_blocks += 1;
        let result = generate(self);
        self.open_blocks -= 1;
        // The variables of the block end with it.
        self.shared.truncate(shared_outside);
        self.named.truncate(named_outside);
        let inner = std::mem::replace(&mut self.block, outer);
        Ok((inner, result?))
    }

    /// Emits a loop over `0..extent`; `generate` emits its body for the given index. For a sequential loop of
    /// one iteration only the body is emitted.
    pub(super) fn in_loop(
        &mut self,
        workers: Workers,
        extent: &Nat,
        origin: &str,
        source: Source,
        generate: impl FnOnce(&mut Self, Nat) -> Generated<()>,
    ) -> Generated<()> {
        self.in_ordered_loop(workers, extent, Order::Stated, (origin, source), generate)
    }

    fn in_ordered_loop(
        &mut self,
        workers: Workers,
        extent: &Nat,
        order: Order,
        (origin, source): (&str, Source),
        generate: impl FnOnce(&mut Self, Nat) -> Generated<()>,
    ) -> Generated<()> {
        let extent = self.ranges.simplify(extent);
        if extent.as_constant() == Some(0) {
            return Ok(());
        }
        if workers == Workers::Sequential && extent.as_constant() == Some(1) {
            return generate(self, Nat::zero());
        }
        self.loop_of(workers, extent, order, (origin, source), generate)
    }

    /// Emits a sequential loop over `0..extent` that its body may end before. So it is a loop even where it
    /// has one iteration, and one loop even where it goes over joined rows.
    pub(super) fn in_loop_with_end(
        &mut self,
        extent: &Nat,
        origin: (&str, Source),
        generate: impl FnOnce(&mut Self, Nat) -> Generated<()>,
    ) -> Generated<()> {
        let extent = self.ranges.simplify(extent);
        if extent.as_constant() == Some(0) {
            return Ok(());
        }
        self.loop_of(Workers::Sequential, extent, Order::Stated, origin, generate)
    }

    fn loop_of(
        &mut self,
        workers: Workers,
        extent: Nat,
        order: Order,
        (origin, source): (&str, Source),
        generate: impl FnOnce(&mut Self, Nat) -> Generated<()>,
    ) -> Generated<()> {
        let index = self.loop_variable(workers);
        let inside = self.ranges.in_steps(&index, Some(&extent));
        let ranges_outside = std::mem::replace(&mut self.ranges, inside);
        let source = self.located(source);
        self.around.push(Around { workers, index: index.clone(), extent: extent.clone(), source });
        let body = self.in_block(|generator| generate(generator, Nat::variable(&index)));
        self.around.pop();
        self.ranges = ranges_outside;
        let (body, ()) = body?;
        let (trip, unrolling, origin) = (Trip::Any, Unrolling::AsItLikes, origin.to_string());
        self.block.push(Statement::Loop(Loop {
            workers,
            index,
            extent,
            trip,
            unrolling,
            order,
            origin,
            source,
            body,
        }));
        Ok(())
    }

    /// Emits a sequential loop over the positions of views. For joined rows it emits two loops, over the rows
    /// and over the elements of a row, so that no division is needed to find the row.
    pub(super) fn in_loop_over(
        &mut self,
        views: &[&View],
        extent: &Nat,
        order: Order,
        origin: (&str, Source),
        mut generate: impl FnMut(&mut Self, Nat) -> Generated<()>,
    ) -> Generated<()> {
        if let Some(width) = views.iter().find_map(|view| view.components_of_computed()) {
            // The body is emitted once for each component of a vector, because C cannot index components.
            let lanes = Nat::constant(i128::from(width));
            let vectors = extent.divide(&lanes);
            return self.in_ordered_loop(
                Workers::Sequential,
                &vectors,
                order,
                origin,
                |generator, vector| {
                    let first = vector * &lanes;
                    (0..width)
                        .try_for_each(|lane| generate(generator, &first + Nat::constant(i128::from(lane))))
                },
            );
        }
        let Some(rows) = views.iter().find_map(|view| view.joined_rows()).cloned() else {
            return self.in_ordered_loop(Workers::Sequential, extent, order, origin, generate);
        };
        self.in_ordered_loop(Workers::Sequential, &rows.count, order, origin, |generator, outer| {
            let (start, length) = (generator.ranges.simplify(&rows.start(&outer)), rows.length_at(&outer));
            let elements = |generator: &mut Self, inner| generate(generator, start + inner);
            generator.in_ordered_loop(Workers::Sequential, &length, order, ("", origin.1), elements)
        })
    }

    /// Emits the code of every iteration, one after the other.
    pub(super) fn unrolled(
        &mut self,
        extent: &Nat,
        origin: &'static str,
        source: Source,
        mut iteration: impl FnMut(&mut Self, Nat) -> Generated<()>,
    ) -> Generated<()> {
        let extent = self.ranges.simplify(extent);
        let Some(iterations) = extent.as_constant().filter(|iterations| *iterations <= MOST_UNROLLED) else {
            return Err(Error::new(source, Problem::Unrolled { origin, extent, most: MOST_UNROLLED }));
        };
        self.block.push(Statement::Comment(origin.to_string()));
        (0..iterations).try_for_each(|position| iteration(self, Nat::constant(position)))
    }

    /// The position of a loop in the source. A loop without one gets that of the loop around it.
    fn located(&self, source: Source) -> Source {
        match self.around.last() {
            Some(around) if source == Source::UNKNOWN => around.source,
            Some(_) | None => source,
        }
    }

    /// A fresh loop variable, named as in the papers' kernels.
    pub(super) fn loop_variable(&mut self, workers: Workers) -> Var {
        let wanted = match workers {
            Workers::Sequential => {
                let depth = self.around.iter().filter(|around| around.workers == Workers::Sequential).count();
                ["i", "j", "k", "l", "m", "n"]
                    .get(depth)
                    .map_or_else(|| format!("i{depth}"), |name| (*name).into())
            }
            Workers::Global(_) | Workers::WorkGroup(_) | Workers::Local(_) => workers.name(),
        };
        self.fresh.index(&wanted)
    }
}
