//! Windows that slide: what the next window shares with this one stays in registers (Rawat et al., *Register optimizations for
//! stencils on GPUs*, PPoPP 2018, call it streaming).
//!
//! The window is a private array. Before the first step it holds all elements of the first window but the last `step`; every step
//! loads the missing ones, computes, and moves the others up. The array becomes variables where its size is known
//! (`refine::registers`), and moving it costs nothing once the OpenCL compiler has unrolled the loop, which it is asked to do.

use super::write::destination_view;
use super::{Generated, Generator};
use crate::diagnostic::Diagnostic;
use crate::kernel::{Statement, Unrolling, Workers};
use crate::nat::Nat;
use crate::source::Source;
use crate::typed::{AddressSpace, Expr, Lambda};
use crate::types::Type;
use crate::view::{Environment, Value, View};

/// Loops are unrolled by at most this many steps.
const MOST_UNROLLED: u64 = 16;

/// A window of a known size that shares elements with the next one.
pub(super) struct Window {
    size: i128,
    step: i128,
    element: Type,
}

impl Window {
    /// The window of a `slide`; none where there is nothing to keep, or the size is not known.
    pub(super) fn of(size: &Nat, step: &Nat, elements: &Type) -> Option<Window> {
        let (size, step) = (size.as_constant()?, step.as_constant()?);
        let array = elements.as_array()?;
        (step < size && array.index.is_none()).then(|| Window { size, step, element: array.element.clone() })
    }

    fn ty(&self) -> Type {
        Type::array(self.element.clone(), Nat::constant(self.size))
    }

    fn shared(&self) -> Nat {
        Nat::constant(self.size - self.step)
    }

    /// After how many steps every element can be back in the variable where it was: unrolled by as many, a loop moves nothing.
    fn period(&self) -> Option<u64> {
        (1..=MOST_UNROLLED).find(|steps| (i128::from(*steps) * self.step) % self.size == 0)
    }

    /// What the OpenCL compiler is asked to do with the loop over this many windows.
    fn unrolling(&self, steps: &Nat) -> Unrolling {
        let is_short = steps.as_constant().is_some_and(|steps| steps <= i128::from(MOST_UNROLLED));
        match self.period() {
            _ if is_short => Unrolling::Whole,
            Some(period) => Unrolling::By(period),
            None => Unrolling::AsItLikes,
        }
    }
}

impl Generator<'_> {
    /// Writes the results of a function for all windows of an array.
    pub(super) fn write_sliding(
        &mut self,
        window: &Window,
        function: &Lambda,
        elements: &Expr,
        environment: &Environment,
        expr: &Expr,
        destination: &Value,
    ) -> Generated<()> {
        let source = expr.source;
        let Some(array) = expr.ty.as_array() else {
            return Err(Diagnostic::internal(source, "a map of a scalar"));
        };
        let elements = self.view(elements, environment)?;
        let places = destination_view(destination, source)?.clone();
        let name = function.parameters.first().map_or("window", |(variable, _)| &variable.name).to_string();
        let storage = self.allocate(AddressSpace::Private, &name, &window.ty(), source)?;
        let kept = super::storage::value_in(&storage, &window.ty());
        let Value::Array(kept) = kept else {
            return Err(Diagnostic::internal(source, "an array was expected"));
        };
        let zero = Nat::zero();
        self.load_window(window, &elements, &kept, (&zero, &window.shared()), &zero, source)?;
        self.in_loop(Workers::Sequential, &array.length, "mapSeqSlide", |generator, index| {
            let start = &index * Nat::constant(window.step);
            let missing = (&window.shared(), &Nat::constant(window.step));
            generator.load_window(window, &elements, &kept, missing, &start, source)?;
            let function = generator.positioned(function, &index)?;
            let inside = generator.bind(&function, vec![Value::Array(kept.clone())], environment, source)?;
            let place = generator.access(&places, &index, source)?;
            generator.write(&function.body, &inside, &place)?;
            generator.move_window(window, &kept, source)
        })?;
        if let Some(Statement::Loop(repetition)) = self.block.last_mut() {
            repetition.unrolling = window.unrolling(&repetition.extent);
        }
        Ok(())
    }

    /// Loads elements of the window that starts at `start`: `count` of them, from the position `first` of the window on.
    fn load_window(
        &mut self,
        window: &Window,
        elements: &View,
        kept: &View,
        (first, count): (&Nat, &Nat),
        start: &Nat,
        source: Source,
    ) -> Generated<()> {
        self.in_loop(Workers::Sequential, count, "", |generator, index| {
            let position = first + &index;
            let element = generator.access(elements, &(start + &position), source)?;
            let place = generator.access(kept, &position, source)?;
            generator.copy(&element, &place, &window.element, source)
        })
    }

    /// Moves the elements that the next window shares to its start.
    fn move_window(&mut self, window: &Window, kept: &View, source: Source) -> Generated<()> {
        self.in_loop(Workers::Sequential, &window.shared(), "", |generator, index| {
            let element = generator.access(kept, &(&index + Nat::constant(window.step)), source)?;
            let place = generator.access(kept, &index, source)?;
            generator.copy(&element, &place, &window.element, source)
        })
    }
}
