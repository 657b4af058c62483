//! Decides what is worth a stage, and what is worth keeping in a scope.

use std::sync::Arc;

use super::Stages;
use crate::ir::typed::{Application, Expr, ExprKind, MapKind, Position, ReduceKind, Variable};
use crate::ir::types::Type;
use crate::middle::lower::context::{Context, Depth};
use crate::middle::lower::cost::ElementCost;
use crate::middle::lower::kernel_ends::Boundaries;
use crate::middle::lower::multiplicity::Multiplicity;
use crate::middle::lower::producers::{is_producer, stores_applications, takes_a_loop};

/// A reduction of at most this many elements is recomputed rather than given a kernel of its own.
const QUICKLY_REPEATED: i128 = 4;

impl Stages<'_, '_> {
    /// Whether a value takes long to compute.
    pub(super) fn is_long(&self, expr: &Expr) -> bool {
        match expr.application() {
            Some(Application::Reduce(kind, function, _, input)) => {
                let length = input.ty.as_array().and_then(|array| array.length.as_constant());
                let is_quick = length.is_some_and(|length| length <= QUICKLY_REPEATED)
                    && !takes_a_loop(&function.body)
                    && !takes_a_loop(input);
                !is_quick && (kind == ReduceKind::Unspecified || !self.taken_at_its_word)
            }
            Some(
                Application::Map(..)
                | Application::Scan(..)
                | Application::Iterate(..)
                | Application::Generate(_)
                | Application::Lanewise(..),
            )
            | None => expr.children().any(|child| self.is_long(child)),
        }
    }

    /// Whether a value must be stored because a later kernel may read it; variables end with their kernel.
    ///
    /// That concerns values that take statements: a loop, even a short one, or a read at a position from
    /// data. A program that uses the hierarchy gets a kernel for that only if a later kernel does read the
    /// value.
    pub(super) fn is_for_other_kernels<'e>(
        &self,
        variable: &Variable,
        value: &Expr,
        mut later: impl Iterator<Item = &'e Arc<Expr>>,
    ) -> bool {
        // A view of a row at a position from data depends on that position, which is computed by statements.
        let is_row_looked_up = matches!(value.ty, Type::Array(_)) && !is_producer(value) && looks_up(value);
        let takes_statements =
            is_row_looked_up || (value.ty.is_element() && (takes_a_loop(value) || looks_up(value)));
        let mut is_behind = false;
        let boundaries = Boundaries::of(self.program);
        takes_statements
            && (!self.taken_at_its_word
                || later.any(|expr| {
                    let is_read = boundaries.is_read_in_later_kernel(expr, variable, &mut is_behind);
                    is_behind |= self.is_complete_before_use(expr);
                    is_read
                }))
    }

    /// The scope in which a value should be kept. `None` if it is not computed repeatedly where it stands.
    pub(super) fn home_of_repeated(&self, expr: &Arc<Expr>, context: &Context) -> Option<Depth> {
        if self.taken_at_its_word || context.is_produced || context.is_outside_functions() {
            return None;
        }
        // What applies no function is computed of values that may be kept themselves.
        let application = expr.application()?;
        let is_repeated = |home: Depth| match application {
            Application::Map(MapKind::Unspecified, function, _) | Application::Generate(function) => {
                let element = ElementCost::of(&function.body, &self.program.functions);
                element.is_worth_keeping(context.times_in(home), context.read_by)
            }
            Application::Reduce(..) | Application::Scan(..) | Application::Iterate(..) => {
                context.reached_in(home) > Multiplicity::ONCE
            }
            Application::Map(..) | Application::Lanewise(..) => false,
        };
        context.home(expr).filter(|home| is_repeated(*home))
    }

    /// Whether a delayed array should be a stage. It must be one if its elements need arrays of unknown
    /// length, because only a kernel of its own has room for them.
    pub(super) fn is_worth_storing(&self, expr: &Expr, context: &Context) -> bool {
        if self.taken_at_its_word || context.is_produced || expr.ty.is_element() {
            return false;
        }
        match expr.application() {
            // The cost of computing the map's input is counted for the input itself.
            Some(Application::Map(MapKind::Unspecified, function, _) | Application::Generate(function)) => {
                let element = ElementCost::of(&function.body, &self.program.functions);
                element.is_worth_a_kernel(context.times, context.read_by) || stores_any_length(&function.body)
            }
            Some(Application::Reduce(..) | Application::Scan(..)) => true,
            Some(Application::Iterate(count, function, _)) => stores_applications(count, function),
            Some(Application::Map(..) | Application::Lanewise(..)) | None => false,
        }
    }
}

/// Whether computing a value stores arrays of unknown length.
fn stores_any_length(expr: &Expr) -> bool {
    let is_open = expr.ty.shape().iter().any(|length| length.as_constant().is_none());
    is_producer(expr) && is_open || expr.children().any(|child| stores_any_length(child))
}

/// Whether a value reads an element at a position from data.
fn looks_up(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::At(Position::Clamped(_) | Position::OrDefault(..), _))
        || expr.children().any(|child| looks_up(child))
}
