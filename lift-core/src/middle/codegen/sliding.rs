//! Sliding windows in registers: the elements that a window shares with the next one are loaded once (Rawat
//! et al., *Register optimizations for stencils on GPUs*, PPoPP 2018, call it streaming).
//!
//! The window is a private array. Before the loop it holds the elements of the first window but the last
//! `step` ones. Every iteration loads the missing elements, computes, and moves the elements that the next
//! window shares to the front. The array becomes variables if its size is known
//! (`device::passes::scalar_replacement`), and moving elements costs nothing once the OpenCL compiler has
//! unrolled the loop, as it is asked to.

use std::sync::Arc;

use super::error::Error;
use super::generator::{Generated, Generator};
use super::values::{destination_view, value_in};
use crate::ir::kernel::{Statement, Unrolling, Workers};
use crate::ir::nat::Nat;
use crate::ir::source::Source;
use crate::ir::typed::{AddressSpace, Expr, ExprKind, Lambda, Layout, MapKind};
use crate::ir::types::Type;
use crate::middle::memory::computed_by;
use crate::middle::view::{Environment, Value, View};

/// The largest unrolling factor.
const MOST_UNROLLED: u64 = 16;

/// A window of a known size that shares elements with the next one.
pub(super) struct Window {
    size: i128,
    step: i128,
    element: Type,
}

impl Window {
    /// The window of a `slide`. `None` if windows share no elements, or the size is not known.
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

    /// The number of iterations after which every element is in the same variable again. A loop that is
    /// unrolled by this factor moves nothing.
    fn period(&self) -> Option<u64> {
        (1..=MOST_UNROLLED).find(|iterations| (i128::from(*iterations) * self.step) % self.size == 0)
    }

    /// The request to the OpenCL compiler for the loop over this many windows.
    fn unrolling(&self, windows: &Nat) -> Unrolling {
        let is_short = windows.as_constant().is_some_and(|windows| windows <= i128::from(MOST_UNROLLED));
        match self.period() {
            _ if is_short => Unrolling::Whole,
            Some(period) => Unrolling::By(period),
            None => Unrolling::AsItLikes,
        }
    }
}

/// The window of a `mapSeqSlide` over this input, and the array that it slides over. `None` if every window
/// is read on its own.
pub(super) fn sliding_window<'e>(function: &Lambda, input: &'e Expr) -> Option<(Window, &'e Expr)> {
    let ExprKind::Layout(Layout::Slide { size, step }, elements) = &input.kind else { return None };
    let by_one = !computed_by(&function.body, |kind| matches!(kind, MapKind::Local(_)));
    Some((Window::of(size, step, &elements.ty).filter(|_| by_one)?, elements))
}

/// A window that slides along while a loop consumes what is computed from it.
pub(super) struct Rolling {
    window: Window,
    elements: View,
    kept: View,
    source: Source,
}

impl Generator<'_> {
    /// The view of an array that a loop reads once, in order. The results of a `mapSeqSlide` in it need not
    /// be stored, because the windows slide along with the loop. This prepares the windows and adds them to
    /// `rolling`, for [`advance`](Self::advance) and
    /// [`make_room`](Self::make_room), between which an element is read.
    pub(super) fn rolling_view(
        &mut self,
        expr: &Expr,
        environment: &Environment,
        rolling: &mut Vec<Rolling>,
    ) -> Generated<View> {
        match &expr.kind {
            ExprKind::Zip(parts) => {
                let views = parts.iter().map(|part| self.rolling_view(part, environment, rolling));
                Ok(View::Zipped(views.collect::<Generated<_>>()?))
            }
            ExprKind::Map(MapKind::Unspecified, function, input) => {
                let input = Arc::new(self.rolling_view(input, environment, rolling)?);
                let function = Arc::new(function.clone());
                Ok(View::Mapped { function, environment: environment.clone(), input })
            }
            ExprKind::Map(MapKind::Sliding, function, input) => match sliding_window(function, input) {
                Some((window, elements)) => {
                    let elements = self.view(elements, environment)?;
                    let prepared = self.prepare_window(window, elements, function, expr.source)?;
                    let input = Arc::new(View::Constant(Arc::new(Value::Array(prepared.kept.clone()))));
                    rolling.push(prepared);
                    let function = Arc::new(function.clone());
                    Ok(View::Mapped { function, environment: environment.clone(), input })
                }
                None => self.view(expr, environment),
            },
            _ => self.view(expr, environment),
        }
    }

    /// Loads the elements that the windows of the iteration `index` do not share with those before.
    pub(super) fn advance(&mut self, rolling: &[Rolling], index: &Nat) -> Generated<()> {
        rolling.iter().try_for_each(|Rolling { window, elements, kept, source }| {
            let start = index * Nat::constant(window.step);
            let missing = (&window.shared(), &Nat::constant(window.step));
            self.load_window(window, elements, kept, missing, &start, *source)
        })
    }

    /// Moves the shared elements of each window to its front.
    pub(super) fn make_room(&mut self, rolling: &[Rolling]) -> Generated<()> {
        rolling
            .iter()
            .try_for_each(|rolling| self.move_window(&rolling.window, &rolling.kept, rolling.source))
    }

    /// Asks for the loop that was just emitted to be unrolled so far that no element is moved.
    pub(super) fn unroll_for(&mut self, rolling: &[Rolling]) {
        if let (Some(rolling), Some(Statement::Loop(repetition))) = (rolling.first(), self.block.last_mut()) {
            repetition.unrolling = rolling.window.unrolling(&repetition.extent);
        }
    }

    /// Makes the private array of a window, and loads the first window without its last elements.
    fn prepare_window(
        &mut self,
        window: Window,
        elements: View,
        function: &Lambda,
        source: Source,
    ) -> Generated<Rolling> {
        let name = function.parameters.first().map_or("window", |(variable, _)| &variable.name).to_string();
        let storage = self.allocate(AddressSpace::Private, &name, &window.ty(), source)?;
        let Value::Array(kept) = value_in(&storage, &window.ty()) else {
            return Err(Error::internal(source, "an array was expected"));
        };
        let zero = Nat::zero();
        self.load_window(&window, &elements, &kept, (&zero, &window.shared()), &zero, source)?;
        Ok(Rolling { window, elements, kept, source })
    }

    /// Writes the results of a function for all windows of an array.
    pub(super) fn write_sliding(
        &mut self,
        window: Window,
        function: &Lambda,
        elements: &Expr,
        environment: &Environment,
        expr: &Expr,
        destination: &Value,
    ) -> Generated<()> {
        let source = expr.source;
        let Some(array) = expr.ty.as_array() else {
            return Err(Error::internal(source, "a map of a scalar"));
        };
        let elements = self.view(elements, environment)?;
        let places = destination_view(destination, source)?.clone();
        let rolling = [self.prepare_window(window, elements, function, source)?];
        self.in_loop(Workers::Sequential, &array.length, "mapSeqSlide", source, |generator, index| {
            generator.advance(&rolling, &index)?;
            let function = generator.positioned(function, &index)?;
            let kept = rolling.iter().map(|rolling| Value::Array(rolling.kept.clone())).collect();
            let inside = generator.bind(&function, kept, environment, source)?;
            let place = generator.access(&places, &index, source)?;
            generator.write(&function.body, &inside, &place)?;
            generator.make_room(&rolling)
        })?;
        self.unroll_for(&rolling);
        Ok(())
    }

    /// Loads elements of the window that starts at `start`: `count` of them, from the position `first` of the
    /// window on.
    fn load_window(
        &mut self,
        window: &Window,
        elements: &View,
        kept: &View,
        (first, count): (&Nat, &Nat),
        start: &Nat,
        source: Source,
    ) -> Generated<()> {
        self.in_loop(Workers::Sequential, count, "", source, |generator, index| {
            let position = first + &index;
            let element = generator.access(elements, &(start + &position), source)?;
            let place = generator.access(kept, &position, source)?;
            generator.copy(&element, &place, &window.element, source)
        })
    }

    /// Moves the elements that the next window shares to the front.
    fn move_window(&mut self, window: &Window, kept: &View, source: Source) -> Generated<()> {
        self.in_loop(Workers::Sequential, &window.shared(), "", source, |generator, index| {
            let element = generator.access(kept, &(&index + Nat::constant(window.step)), source)?;
            let place = generator.access(kept, &index, source)?;
            generator.copy(&element, &place, &window.element, source)
        })
    }
}
